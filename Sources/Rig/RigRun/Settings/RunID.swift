internal import Foundation
internal import RigModel

/// The name of a run.
enum RunID {
    /// A name that sorts by time and is unique among runs of the same second.
    ///
    /// Parts of a run can start on several machines in the same second, with the same seed and, in
    /// containers, with the same process id.
    static func make(seed: UInt64, at time: Date, partition: RunPartition? = nil) -> String {
        let stamp = timestamp(time).filter { $0.isNumber || $0 == "T" }
        let part = partition.map { "-\($0.index)-of-\($0.count)" } ?? ""
        return "\(stamp)-\(String(seed & 0xFFFF_FFFF, radix: 36))"
            + "-\(ProcessInfo.processInfo.processIdentifier)\(part)"
    }

    /// A time in UTC, as ISO 8601.
    static func timestamp(_ time: Date) -> String { time.formatted(.iso8601) }
}
