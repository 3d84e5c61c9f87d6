import RigModel

/// Words for exit codes and verdicts in headings.
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
