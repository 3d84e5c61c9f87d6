/// What decides the moment of a kill, as asked for on the command line.
package enum TriggerKind: String, Sendable, Hashable, Codable, CaseIterable {
    /// `bytes` and `time` in turn.
    case random
    /// Right after the worker has taken the planned byte off its socket.
    case bytes
    /// At a planned fraction of an uninterrupted run of the same policy.
    case time
}

/// The planned moment of one kill.
package enum Trigger: Sendable, Hashable, Codable {
    /// When so many distinct bytes of the video are received; the origin holds back the rest.
    case bytes(Int64)
    /// At this fraction of the time an uninterrupted run takes from its first byte to its end.
    case time(Double)

    /// The trigger's word in the CSV's `trigger` column.
    package var kind: TriggerKind {
        switch self {
        case .bytes: .bytes
        case .time: .time
        }
    }

    /// The value in the CSV's `planned` column: bytes, or the fraction with six decimals.
    package var planned: String {
        switch self {
        case .bytes(let count): "\(count)"
        case .time(let fraction): FixedPoint.text(fraction, decimals: 6)
        }
    }
}
