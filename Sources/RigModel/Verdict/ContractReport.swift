/// One point of the worker contract, and what a worker showed of it.
package struct ContractPoint: Sendable, Hashable {
    /// The points, in the order in which they are reported.
    package enum Name: String, Sendable, Hashable, CaseIterable {
        /// Left alone it ends well, and what it completed equals the video.
        case completes = "completes unharmed"
        /// Killed and launched again it completes the video, and asks for what it lost.
        case resumes
        /// It loses no more than its profile says.
        case bound
        /// It leaves no process running, whether it ends by itself or is killed.
        case cleansUp = "cleans up"
        /// It reaches the levels that its profile states.
        case level = "level reached"
        /// Where several levels are there, their figures agree: the page and the kernel on what was
        /// received, the state and the sockets of the next life on what was kept.
        case agreement = "agreement between levels"
    }

    /// What was shown.
    package enum Verdict: String, Sendable, Hashable, CaseIterable {
        case pass, fail
        /// It could not be shown: never a pass.
        case unknown = "not known"
        /// The profile promises nothing of the kind, so that there is nothing to show.
        case notPromised = "not promised"
    }

    /// Which point.
    package let name: Name
    /// What was shown.
    package let verdict: Verdict
    /// The figures, or what is wrong, in one line.
    package let detail: String

    /// A point.
    package init(_ name: Name, _ verdict: Verdict, _ detail: String) {
        self.name = name
        self.verdict = verdict
        self.detail = detail
    }
}

/// What `rig workers check` found out about a worker.
package struct ContractReport: Sendable, Hashable {
    /// The profile's name.
    package let worker: String
    /// The seed that its kills follow from.
    package let seed: UInt64
    /// Each point, in the order of ``ContractPoint/Name``.
    package let points: [ContractPoint]

    /// A report.
    package init(worker: String, seed: UInt64, points: [ContractPoint]) {
        self.worker = worker
        self.seed = seed
        self.points = points
    }

    /// The exit code: 99 when a point fails, 98 when one could not be shown, 0 else.
    package var status: ExitStatus {
        ExitStatus.worst(
            points.compactMap { point in
                switch point.verdict {
                case .pass, .notPromised: nil
                case .fail: .gateFailed
                case .unknown: .inconclusive
                }
            })
    }
}
