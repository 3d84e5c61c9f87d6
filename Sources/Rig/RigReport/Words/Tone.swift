import RigModel

/// A rating, shown by a colour and a shape.
enum Tone: String {
    case good, bad, open

    var mark: String {
        switch self {
        case .good: "✓"
        case .bad: "✕"
        case .open: "?"
        }
    }

    init(_ status: ExitStatus) {
        switch status {
        case .success: self = .good
        case .incomplete, .inconclusive, .interrupted: self = .open
        default: self = .bad
        }
    }

    init(_ verdict: GateVerdict) {
        switch verdict {
        case .holds: self = .good
        case .fails: self = .bad
        case .unknown: self = .open
        }
    }

    init(_ promise: PromiseResult) {
        switch promise.verdict {
        case .holds: self = promise.isPartial ? .open : .good
        case .broken: self = .bad
        case .notJudged, .undecided: self = .open
        }
    }
}
