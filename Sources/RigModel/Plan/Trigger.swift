/// What decides the moment of a kill, as asked for on the command line.
package enum TriggerKind: String, Sendable, Hashable, Codable, CaseIterable {
    /// `bytes` and `time` in turn.
    case random
    /// Right after the worker has taken the planned byte off its socket.
    case bytes
    /// At a planned fraction of an uninterrupted run of the same policy.
    case time
    /// Inside a planned phase, in which the worker is held by its witness page.
    case phase
    /// At a planned call among those that change or sync files.
    case syscall
}

/// The planned moment of one kill.
package enum Trigger: Sendable, Hashable, Codable {
    /// When so many distinct bytes of the video are received; the origin holds back the rest.
    case bytes(Int64)
    /// As soon as so many distinct bytes have been seen to be received, while others follow them.
    case flowing(Int64)
    /// At this fraction of the time an uninterrupted run takes from its first byte to its end.
    case time(Double)
    /// In this phase.
    case phase(Phase)
    /// At this call.
    case syscall(CallMoment)
    /// At no moment: the worker is spared, and has to do its work unharmed.
    case never

    /// What the value of a kill ends in that lands while bytes flow.
    package static let flowingSuffix = ":flowing"

    /// The bytes after which the origin holds back what lies beyond, so that the kill cannot
    /// overshoot; nil where nothing is held back.
    package var heldBytes: Int64? {
        guard case .bytes(let count) = self else { return nil }
        return count
    }

    /// The trigger's word in the CSV's `trigger` column; that of a worker that is spared is the one
    /// by which it was asked for, `--trigger time --at never`.
    package var kind: TriggerKind {
        switch self {
        case .bytes, .flowing: .bytes
        case .time, .never: .time
        case .phase: .phase
        case .syscall: .syscall
        }
    }

    /// The value in the CSV's `planned` column: bytes, with `:flowing` behind them where nothing is
    /// held back, the fraction with six decimals, the phase, or the call's ordinal; `never` for a
    /// worker that is spared.
    package var planned: String {
        switch self {
        case .bytes(let count): "\(count)"
        case .flowing(let count): "\(count)\(Self.flowingSuffix)"
        case .time(let fraction): FixedPoint.text(fraction, decimals: 6)
        case .phase(let phase): phase.rawValue
        case .syscall(let moment): moment.text
        case .never: "never"
        }
    }
}

extension Trigger {
    /// The moment as plans have it that were written when `never` was a time that no run lasts.
    private enum Stored: Decodable {
        case bytes(Int64)
        case flowing(Int64)
        case time(Double)
        case phase(Phase)
        case syscall(CallMoment)
        case never
    }

    /// Reads a moment, of older plans, too.
    package init(from decoder: any Decoder) throws {
        self =
            switch try Stored(from: decoder) {
            case .bytes(let count): .bytes(count)
            case .flowing(let count): .flowing(count)
            case .time(1_000_000), .never: .never
            case .time(let fraction): .time(fraction)
            case .phase(let phase): .phase(phase)
            case .syscall(let moment): .syscall(moment)
            }
    }
}

/// Where a kill by system calls lands.
package struct CallMoment: Sendable, Hashable, Codable {
    /// On which side of the call.
    package enum Edge: String, Sendable, Hashable, Codable, CaseIterable {
        /// The call does not happen any more.
        case before
        /// The call has happened, and its program does not learn of it.
        case after
    }

    /// Which of the counted calls of all threads, from 1.
    package let ordinal: Int
    /// On which side of it.
    package let edge: Edge

    /// A moment.
    package init(ordinal: Int, edge: Edge) {
        self.ordinal = ordinal
        self.edge = edge
    }

    /// Reads `137`, which means before that call, or `137:after`; nil when the text is neither.
    package init?(_ text: String) {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count <= 2, let first = parts.first, let ordinal = Int(first), ordinal > 0,
            let edge = parts.count == 1 ? .before : Edge(rawValue: String(parts[1]))
        else { return nil }
        self.init(ordinal: ordinal, edge: edge)
    }

    /// The ordinal, followed by `:after` where that is the edge.
    package var text: String { edge == .before ? "\(ordinal)" : "\(ordinal):after" }
}
