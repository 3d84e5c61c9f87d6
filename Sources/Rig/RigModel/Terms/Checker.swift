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
    /// Every stored byte came from the origin, and was received by a life of the worker.
    case unearned
    /// C7: what a running request fetches is not fetched by another.
    case duplicates
    /// B7: the claimed ranges are the union of the chunks.
    case ranges
    /// C6: stored data stays within the capacity; what goes is the oldest, for lack of room.
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
    /// B7, C9: with the origin stopped, recovered data plays, and other requests fail clearly.
    case offline
    /// O4, O6: the list is the old one or the new one, and every image is absent or complete.
    case library
    /// The check of any program finds what it has promised.
    case check
    /// No life ends by a signal that the rig did not send.
    case crash
    /// No life ends by a wrong exit code, or before its work is done.
    case exit
    /// A life in which a call failed does not report success without a right file.
    case falseSuccess = "false-success"
    /// No life stalls or takes too long.
    case hang
    /// None of the worker's processes survives the kill of the worker.
    case leftover
}

/// How people read of a checker.
package struct CheckerWords: Sendable {
    /// What failed, as a predicate of the kills that led to it: `lost more than is allowed`.
    package let failure: String
    /// What is checked, as a noun: `how much may be lost`.
    package let subject: String
    /// True when ``failure`` is said of the program, in a launch that no kill ended.
    package var isAboutProgram = false
}

extension Checker {
    package var words: CheckerWords {
        func kills(_ failure: String, _ subject: String) -> CheckerWords {
            CheckerWords(failure: failure, subject: subject)
        }
        func program(_ failure: String, _ subject: String) -> CheckerWords {
            CheckerWords(failure: failure, subject: subject, isAboutProgram: true)
        }
        return switch self {
        case .bound: kills("lost more than is allowed", "how much may be lost")
        case .nullControl: kills("left bytes that nothing had saved", "that nothing is saved")
        case .durability:
            kills("lost bytes that the program had called safe", "what was called safe")
        case .integrity: kills("left damaged data", "the stored data")
        case .ledger: kills("left a report that cannot be true", "what the origin sent")
        case .agreement:
            kills("left a report that differs from what the kernel saw", "the program's own count")
        case .unearned:
            kills("left bytes that the program never received", "where the bytes came from")
        case .duplicates: kills("show bytes that were fetched twice at once", "double fetches")
        case .ranges: kills("left an index that does not fit the data", "the index")
        case .eviction: kills("show data that was dropped against the rules", "what was dropped")
        case .commits: kills("show too few or too many saves", "the number of saves")
        case .resumption:
            kills(
                "were not followed by fetching exactly what was missing", "what was fetched again")
        case .completion: kills("did not end in a complete and correct file", "the completed file")
        case .stitched: kills("ended in a file of two versions", "mixed versions")
        case .stale: kills("ended in an outdated file", "outdated files")
        case .delivery: kills("gave the player wrong bytes or answers", "what the player got")
        case .offline:
            kills("left data that does not play without the network", "playing without the network")
        case .library: kills("left a torn list or image", "list and images")
        case .check: kills("left what the check refuses", "the check")
        case .crash: program("crashed by itself", "crashes")
        case .exit: program("ended by itself before its work was done", "exit codes")
        case .falseSuccess: program("reported success without a right file", "what is called done")
        case .hang: program("stopped making progress", "hangs")
        case .leftover: program("left a process running", "leftover processes")
        }
    }
}
