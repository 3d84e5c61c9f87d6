import RigModel

enum StatusText {
    static func word(_ status: ExitStatus) -> String {
        switch status {
        case .success: "pass"
        case .usage: "wrong usage"
        case .data: "contradicting data"
        case .unavailable: "could not start"
        case .failure: "rig failed"
        case .permission: "no permission"
        case .incomplete: "incomplete"
        case .inconclusive: "inconclusive"
        case .gateFailed: "fail"
        case .interrupted: "interrupted"
        }
    }

    /// `fail (exit 99)`.
    static func line(_ status: ExitStatus) -> String { "\(word(status)) (exit \(status.rawValue))" }

    static func word(_ verdict: GateVerdict) -> String {
        switch verdict {
        case .holds: "holds"
        case .fails: "FAILS"
        case .unknown: "unknown"
        }
    }
}

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
