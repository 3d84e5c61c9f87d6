package import Foundation
package import RigModel

/// What the runs of a self-check, or of a trial of the documents' promises, have in common.
package struct TrialSettings: Sendable {
    /// The worker's profile as written.
    let profile: WorkerProfile
    /// What names the worker; nil for the standard one.
    let workerOption: String?
    /// The `--set` values for every part.
    let values: [String: String]
    let seed: UInt64
    /// When the whole was asked for.
    let startedAt: Date
    /// The folder of the whole; nil for one below `results`.
    let out: String?
    let json: Bool
    /// True for origins that speak HTTP over TLS.
    package var tls = false
    /// A program with its arguments, in the place of a profile; empty for none.
    package var command: [String] = []

    package init(
        profile: WorkerProfile, workerOption: String?, values: [String: String], seed: UInt64,
        startedAt: Date, out: String?, json: Bool
    ) {
        (self.profile, self.workerOption, self.values) = (profile, workerOption, values)
        (self.seed, self.startedAt, self.out, self.json) = (seed, startedAt, out, json)
    }

    /// The error for a worker that a command cannot take, in place of one that it needs.
    func refused(_ command: String, _ need: String) -> RigError {
        RigError(
            .usage,
            "\(command) needs a worker \(need), and \(profile.name) is not one; choose another by "
                + "--worker, or leave --worker out")
    }
}
