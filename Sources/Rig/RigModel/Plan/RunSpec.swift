package import OriginFaults

/// A run as it was asked for: one value for its settings, its laboratory and its manifest, which
/// does not have what is nil, and so as usual.
package struct RunSpec: Sendable, Hashable, Codable {
    package var command: [String] = []
    /// How the worker is started and what is known of it, as written: a replay needs nothing else.
    package var profile: WorkerProfile?
    /// The value of `--worker`; nil for a command without a profile.
    package var workerOption: String?
    package var fault: Fault
    package var workload: Workload
    /// What `--set` gave for the worker's own placeholders, by name.
    package var settings: [String: String]?
    package var originFaults: [OriginFault]?
    package var tls: Bool?
    /// The origin's port; nil for any free one.
    package var port: UInt16?
    /// Of which rows that did not pass the worker's state is kept; all in runs that do not say so.
    package var evidence: EvidenceChoice?
    /// Seconds after which a launch of the worker is ended.
    package var timeLimit: Double?
    /// The gates when no others are given, besides the defaults for what they do not mention.
    package var gates: [String] = []
    package var baseline: String?
    package var history: String?
    /// The part of the plan to carry out; nil for the whole plan.
    package var partition: RunPartition?
    /// The number of parallel iterations, where that is not one; of a merged run the maximum.
    package var jobs: Int?
    package var crashModel: CrashModel?
    /// How long a worker may take that is asked to end, where that is not ``Grace/standard``.
    package var grace: Grace?
    package var callFailure: CallFailure?
    /// How a killed worker is started again, where that is not once.
    package var relaunch: Relaunch?

    package init(
        profile: WorkerProfile? = nil, fault: Fault = .sigkill, workload: Workload = .download,
        settings: [String: String] = [:]
    ) {
        (self.profile, self.fault, self.workload) = (profile, fault, workload)
        values = settings
    }

    package var values: [String: String] {
        get { settings ?? [:] }
        set { settings = newValue.isEmpty ? nil : newValue }
    }

    package var capacity: ByteSize? { settings?["capacity"].flatMap { ByteSize($0) } }
}

extension Equatable {
    /// The value; nil where it is the usual one, which is not stored.
    package func unless(_ usual: Self) -> Self? { self == usual ? nil : self }
}

/// Of which rows that did not pass the worker's state is kept.
package enum EvidenceChoice: String, Sendable, Hashable, Codable, CaseIterable {
    /// Of the first three of each kind of failure.
    case first
    case all
}

/// How a killed worker is started again.
package enum Relaunch: String, Sendable, Hashable, Codable, CaseIterable {
    /// Once, until its work is done.
    case once
    /// Once, and once more when its work is done: what is complete must stay so.
    case again
    /// Two instances at the same moment, in the same folder: one may refuse to run then, and the work
    /// must be done in the end.
    case twice
    /// Once, for another video: what is left of the first must not get into it.
    case other

    package var words: String {
        switch self {
        case .once: "once"
        case .again: "once, and again when the work is done"
        case .twice: "two instances at the same moment"
        case .other: "once, for another video"
        }
    }
}
