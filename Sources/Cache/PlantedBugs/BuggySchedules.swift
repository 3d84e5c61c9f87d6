internal import Synchronization
internal import VideoCache

/// Checks the threshold only after one more read has exceeded it.
struct LateSchedule: SaveSchedule {
    let base: any SaveSchedule
    var readSize: Int { base.readSize }
    var capacity: Int? { base.capacity.map { $0 + readSize } }
    func shouldSave(unsaved: Int) -> Bool { base.capacity.map { unsaved > $0 } ?? false }
}

/// Requires a save at twice the threshold, as promptly as the right schedule does at one.
struct DoubledSchedule: SaveSchedule {
    let base: any SaveSchedule
    var readSize: Int { base.readSize }
    var capacity: Int? { base.capacity.map { 2 * $0 } }
    func shouldSave(unsaved: Int) -> Bool { capacity.map { unsaved + readSize > $0 } ?? false }
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

/// Never requires a save.
struct NeverSchedule: SaveSchedule {
    let base: any SaveSchedule
    var readSize: Int { base.readSize }
    var capacity: Int? { nil }
    func shouldSave(unsaved: Int) -> Bool { false }
}

/// Requires a save after every read, if there is no other limit to unsaved bytes.
struct EagerSchedule: SaveSchedule {
    let base: any SaveSchedule
    var readSize: Int { base.readSize }
    var capacity: Int? { base.capacity }
    func shouldSave(unsaved: Int) -> Bool {
        capacity == nil ? unsaved > 0 : base.shouldSave(unsaved: unsaved)
    }
}
