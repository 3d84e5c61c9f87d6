/// What an iteration shows.
///
/// An unknown is never a pass.
package enum Verdict: String, Sendable, Hashable, Codable, CaseIterable {
    /// Every checker that applies was satisfied.
    case pass
    /// At least one checker has a finding.
    case fail
    /// The kill proves nothing: too early, too late, or not ours.
    case inconclusive
}

/// The checkers, by the names that reports use.
package enum Checker: String, Sendable, Hashable, Codable, CaseIterable {
    /// B1: lost bytes are at most threshold × active requests.
    case bound
    /// B2: `disabled` loses all of the running request, or the rig is broken.
    case nullControl = "null-control"
    /// B5: acknowledged bytes are recovered, byte for byte.
    case durability
    /// B5: the database is sound and nothing stored or delivered is unlike the origin's.
    case integrity
    /// What a worker says it received, the origin has served: served ≥ received (spec 2).
    case ledger
    /// Where the worker's page and the kernel both tell what was received, they tell the same (spec 2).
    case agreement
    /// What a worker has, an origin gave it: it has no byte that no life of its own received.
    case unearned
    /// C7: what a running request brings is not fetched by another.
    case duplicates
    /// B7: the claimed ranges are the union of the chunks.
    case ranges
    /// C6: no more is kept than the capacity, and nothing is dropped while there is room, nor what
    /// was used last.
    case eviction
    /// B8: as many commits as the threshold implies, of the size it implies.
    case commits
    /// C8: the relaunched worker fetches what is missing, all of it and nothing else.
    case resumption
    /// The relaunched worker finishes, and the finished file equals the video.
    case completion
    /// The completed file holds nothing of a version that the origin no longer had.
    case stitched
    /// A worker that promises to revalidate does not pass off the version before as the video.
    case stale
    /// C4, F2: a player is handed the bytes that it asked for, and answers that it can trust.
    case delivery
    /// B7, C9: with the origin stopped, what was recovered plays, and the rest fails clearly.
    case offline
    /// O4, O6: the list is the old one or the new one, every image is absent or whole.
    case library
    /// No life ends by a signal that the rig did not send.
    case crash
    /// No life ends by an exit code that it should not have, or before its work is done.
    case exit
    /// No life stands still, or goes on for too long.
    case hang
    /// No process of a worker goes on when the worker is killed.
    case leftover
}

/// What a checker found wrong.
package struct Finding: Sendable, Hashable, Codable {
    /// Who found it.
    package let checker: Checker
    /// What is wrong, in one line, with the figures.
    package let detail: String

    /// A finding.
    package init(checker: Checker, detail: String) {
        self.checker = checker
        self.detail = detail
    }
}
