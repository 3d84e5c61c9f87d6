internal import Synchronization
internal import VideoCache

struct BuggySchedule: SaveSchedule {
    let readSize: Int
    let capacity: Int?
    let isDue: @Sendable (Int) -> Bool

    func shouldSave(unsaved: Int) -> Bool { isDue(unsaved) }
}

extension SaveSchedule {
    var late: BuggySchedule {
        let room = capacity.map { $0 + readSize }
        return BuggySchedule(readSize: readSize, capacity: room) { [capacity] unsaved in
            unsaved > capacity ?? .max
        }
    }

    /// As promptly as the right schedule does at one threshold.
    var doubled: BuggySchedule {
        let (readSize, most) = (readSize, capacity.map { 2 * $0 })
        return BuggySchedule(readSize: readSize, capacity: most) { unsaved in
            unsaved + readSize > most ?? .max
        }
    }

    var never: BuggySchedule { BuggySchedule(readSize: readSize, capacity: nil) { _ in false } }

    /// Only if there is no other limit to unsaved bytes.
    var eager: any SaveSchedule {
        capacity == nil ? BuggySchedule(readSize: readSize, capacity: nil) { $0 > 0 } : self
    }
}

/// One threshold for all players, as in the documents' singleton: that of the first download.
enum SharedSchedule {
    private static let kept = Mutex<(any SaveSchedule)?>(nil)

    static func first(_ schedule: any SaveSchedule) -> any SaveSchedule {
        kept.withLock { kept in
            let first = kept ?? schedule
            kept = first
            return first
        }
    }
}
