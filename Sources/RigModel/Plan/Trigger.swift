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
    /// At this fraction of the time an uninterrupted run takes from its first byte to its end.
    case time(Double)
    /// In this phase.
    case phase(Phase)
    /// At this call.
    case syscall(CallMoment)

    /// A moment that no worker lives to see: it is spared, and has to do its work unharmed.
    package static let never = Trigger.time(1_000_000)

    /// True for the moment that no worker lives to see.
    package var isNever: Bool { self == .never }

    /// The trigger's word in the CSV's `trigger` column.
    package var kind: TriggerKind {
        switch self {
        case .bytes: .bytes
        case .time: .time
        case .phase: .phase
        case .syscall: .syscall
        }
    }

    /// The value in the CSV's `planned` column: bytes, the fraction with six decimals, the phase, or
    /// the call's ordinal; `never` for a worker that is spared.
    package var planned: String {
        switch self {
        case _ where isNever: "never"
        case .bytes(let count): "\(count)"
        case .time(let fraction): FixedPoint.text(fraction, decimals: 6)
        case .phase(let phase): phase.rawValue
        case .syscall(let moment): moment.text
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
