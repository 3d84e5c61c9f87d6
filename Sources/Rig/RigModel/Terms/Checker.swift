/// The checkers, by the names that reports use; what each checks is said in its own file.
package enum Checker: String, Sendable, Hashable, Codable, CaseIterable {
    case bound
    case nullControl = "null-control"
    case durability, integrity, ledger, agreement, unearned, duplicates, ranges, eviction, commits
    case resumption, completion, stitched, stale, delivery, offline, library, check, crash, exit
    case falseSuccess = "false-success"
    case hang, leftover
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
