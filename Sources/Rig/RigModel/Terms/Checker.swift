/// The checkers, by the names that reports use.
package enum Checker: String, Sendable, Hashable, Codable, CaseIterable {
    /// B1: lost bytes are at most threshold × active requests.
    case bound
    /// B2: `disabled` loses all of the running request, otherwise the rig is broken.
    case nullControl = "null-control"
    /// B5: acknowledged bytes are recovered, byte for byte.
    case durability
    /// B5: the database is intact, and everything stored or delivered equals the origin's data.
    case integrity
    /// The origin has served what a worker reports as received: served ≥ received (spec 2).
    case ledger
    /// The worker's page and the kernel agree on what was received, if both report it (spec 2).
    case agreement
    /// Every stored byte came from the origin: the worker has none that no life of its own
    /// received.
    case unearned
    /// C7: what a running request fetches is not fetched by another.
    case duplicates
    /// B7: the claimed ranges are the union of the chunks.
    case ranges
    /// C6: stored data stays within the capacity, and nothing is dropped while there is room, nor
    /// the data used last.
    case eviction
    /// B8: the number and size of commits are as the threshold implies.
    case commits
    /// C8: the relaunched worker fetches all missing data and nothing else.
    case resumption
    /// The relaunched worker finishes, and its completed file equals the video.
    case completion
    /// The completed file contains nothing of a version that the origin no longer had.
    case stitched
    /// A worker that promises to revalidate does not deliver the earlier version as the video.
    case stale
    /// C4, F2: a player gets the bytes that it requested, in answers with correct headers.
    case delivery
    /// B7, C9: with the origin stopped, recovered data plays, and requests for the rest fail
    /// clearly.
    case offline
    /// O4, O6: the list is the old one or the new one, and every image is absent or complete.
    case library
    /// No life ends by a signal that the rig did not send.
    case crash
    /// No life ends by a wrong exit code, or before its work is done.
    case exit
    /// No life stalls or takes too long.
    case hang
    /// None of the worker's processes survives the kill of the worker.
    case leftover
}
