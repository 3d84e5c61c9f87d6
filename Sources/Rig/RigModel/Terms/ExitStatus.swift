/// The exit codes of every `rig` command (spec 2).
package enum ExitStatus: Int32, Sendable, Hashable, Codable, CaseIterable {
    case success = 0
    /// Bad option, bad gate, unknown metric, unreachable gate.
    case usage = 64
    case data = 65
    /// The origin or the worker cannot be started.
    case unavailable = 69
    case failure = 70
    case permission = 77
    /// Parts or iterations are missing.
    case incomplete = 97
    /// Too few conclusive iterations to decide.
    case inconclusive = 98
    case gateFailed = 99
    /// Interrupted; results so far are kept.
    case interrupted = 130

    /// True if the command is refused: as it is, it cannot be carried out.
    package var isRefusal: Bool { [.usage, .unavailable, .permission].contains(self) }

    /// True if the rig itself failed, or cannot read what it wrote.
    package var isOfTheRig: Bool { [.failure, .data].contains(self) }

    /// The status that counts when several apply: 70 > 69 > 65 > 97 > 99 > 98 > 0.
    package static func worst(_ statuses: some Sequence<ExitStatus>) -> ExitStatus {
        let order: [ExitStatus] = [
            .failure, .unavailable, .data, .incomplete, .gateFailed, .inconclusive,
        ]
        let present = Set(statuses)
        return order.first(where: present.contains) ?? .success
    }
}
