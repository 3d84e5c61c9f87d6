/// What determines the moment of a kill, as given on the command line.
package enum TriggerKind: String, Sendable, Hashable, Codable, CaseIterable {
    /// `bytes` and `time` in turn.
    case random
    case bytes, time, phase, syscall, said
}

package enum Trigger: Sendable, Hashable, Codable {
    /// When that many distinct bytes of the video are received; the origin holds back the rest.
    case bytes(Int64)
    /// When that many distinct bytes are observed as received, while more bytes keep flowing.
    case flowing(Int64)
    /// At this fraction of an uninterrupted run's time from its first byte to its end.
    case time(Double)
    /// After the last byte, at this share of an unharmed worker's time from it to its end.
    case ending(Double)
    case phase(Phase)
    /// Before a relaunched worker's first new byte, at this share of the time of its recovery.
    case recovery(Double)
    case syscall(CallMoment)
    /// When the program has said that many lines in this launch.
    case said(Int)
    /// Never: the worker is spared, and must do its work unharmed.
    case never

    /// The suffix of the planned value of a kill that lands while bytes flow.
    package static let flowingSuffix = ":flowing"
    /// The prefix of the planned value of a kill in a recovery, before the share of it.
    package static let recoveryPrefix = "\(Phase.recovering.rawValue):"

    /// What `--at` says of kills between the last byte and the worker's end, all over that time.
    package static let end = "end"
    /// The prefix of the planned value of such a kill, before the share.
    package static let endingPrefix = "\(end):"

    /// The name in the CSV's `trigger` column; of a spared worker `time`, as it was asked for.
    package var kind: TriggerKind { facts.kind }
    /// The bytes after which the origin holds back the rest; nil when nothing is held back.
    package var heldBytes: Int64? { facts.heldBytes }
    /// The phase in which the worker is to be killed; nil when it is planned by something else.
    package var phase: Phase? { facts.phase }

    private var facts: (kind: TriggerKind, heldBytes: Int64?, phase: Phase?) {
        switch self {
        case .bytes(let count): (.bytes, count, nil)
        case .flowing: (.bytes, nil, nil)
        case .time, .ending, .never: (.time, nil, nil)
        case .phase(let phase): (.phase, nil, phase)
        case .recovery: (.phase, 0, .recovering)
        case .syscall: (.syscall, nil, nil)
        case .said: (.said, nil, nil)
        }
    }

    /// The value in the CSV's `planned` column.
    package var planned: String {
        switch self {
        case .bytes(let count): "\(count)"
        case .flowing(let count): "\(count)\(Self.flowingSuffix)"
        case .time(let fraction): FixedPoint.text(fraction, decimals: 6)
        case .ending(let share): "\(Self.endingPrefix)\(FixedPoint.text(share, decimals: 6))"
        case .phase(let phase): phase.rawValue
        case .recovery(let share): "\(Self.recoveryPrefix)\(FixedPoint.text(share, decimals: 6))"
        case .syscall(let moment): moment.text
        case .said(let lines): "\(lines)"
        case .never: "never"
        }
    }
}

package struct CallMoment: Sendable, Hashable, Codable {
    package enum Edge: String, Sendable, Hashable, Codable, CaseIterable {
        /// The call is not executed.
        case before
        /// The call has been executed, and the program does not see its result.
        case after
    }

    /// The number of the call among the counted calls of all threads, from 1.
    package let ordinal: Int
    package let edge: Edge
    /// The name of the system call if only calls of that name are counted; nil for all.
    package let name: String?

    package init(ordinal: Int, edge: Edge, name: String? = nil) {
        (self.ordinal, self.edge, self.name) = (ordinal, edge, name)
    }

    /// Parses `137` (before that call), `137:after`, or with a call's name `rename:2:after`.
    package init?(_ text: String) {
        var parts = text.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
        var name: String?
        if let first = parts.first, first.first?.isLetter == true {
            guard first.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") })
            else { return nil }
            name = parts.removeFirst()
        }
        guard parts.count <= 2, let first = parts.first, let ordinal = Int(first), ordinal > 0,
            let edge = parts.count == 1 ? .before : Edge(rawValue: parts[1])
        else { return nil }
        self.init(ordinal: ordinal, edge: edge, name: name)
    }

    /// The name, if there is one, and the ordinal, followed by `:after` for that edge.
    package var text: String {
        (name.map { "\($0):" } ?? "") + (edge == .before ? "\(ordinal)" : "\(ordinal):after")
    }
}
