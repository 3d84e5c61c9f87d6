import RigModel

enum StatusText {
    /// `fail (exit 99)`.
    static func line(_ status: ExitStatus) -> String {
        "\(status.shown.word) (exit \(status.rawValue))"
    }
}

extension ExitStatus {
    var shown: (word: String, tone: Tone) {
        switch self {
        case .success: ("pass", .good)
        case .usage: ("wrong usage", .bad)
        case .data: ("contradicting data", .bad)
        case .unavailable: ("could not start", .bad)
        case .failure: ("rig failed", .bad)
        case .permission: ("no permission", .bad)
        case .incomplete: ("incomplete", .open)
        case .inconclusive: ("inconclusive", .open)
        case .gateFailed: ("fail", .bad)
        case .interrupted: ("interrupted", .open)
        }
    }
}

extension GateVerdict {
    var shown: (word: String, tone: Tone) {
        switch self {
        case .holds: ("holds", .good)
        case .fails: ("FAILS", .bad)
        case .unknown: ("unknown", .open)
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

    init(_ promise: PromiseResult) {
        switch promise.verdict {
        case .holds: self = promise.isPartial ? .open : .good
        case .broken: self = .bad
        case .notJudged, .undecided: self = .open
        }
    }
}
