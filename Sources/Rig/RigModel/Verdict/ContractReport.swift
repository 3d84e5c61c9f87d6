/// One point of the worker contract, and the result of checking it.
package struct ContractPoint: Sendable, Hashable {
    package enum Name: String, Sendable, Hashable, CaseIterable {
        /// Without a kill it ends successfully, and its completed file equals the video.
        case completes = "completes unharmed"
        /// After a kill and a relaunch it completes the video, and requests what it lost.
        case resumes
        case bound
        /// It leaves no process running, whether it ends by itself or is killed.
        case cleansUp = "cleans up"
        case level = "level reached"
        /// Page and kernel agree on received bytes, state and later sockets on saved ones.
        case agreement = "agreement between levels"
    }

    package enum Verdict: String, Sendable, Hashable, CaseIterable {
        case pass, fail
        /// It could not be determined: never a pass.
        case unknown = "not known"
        /// The profile makes no such promise, so there is nothing to check.
        case notPromised = "not promised"
    }

    package let name: Name
    package let verdict: Verdict
    package let detail: String

    package init(_ name: Name, _ verdict: Verdict, _ detail: String) {
        (self.name, self.verdict, self.detail) = (name, verdict, detail)
    }
}

package struct ContractReport: Sendable, Hashable {
    package let worker: String
    package let seed: UInt64
    /// Each point, in the order of ``ContractPoint/Name``.
    package let points: [ContractPoint]

    package init(worker: String, seed: UInt64, points: [ContractPoint]) {
        (self.worker, self.seed, self.points) = (worker, seed, points)
    }

    /// The exit code: 99 if a point fails, otherwise 98 if one is unknown, otherwise 0.
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
