/// One promise of the documents, with the figures that it is held to.
package struct Promise: Sendable, Hashable {
    /// One figure of a promise.
    package struct Limit: Sendable, Hashable {
        /// What is measured.
        package let measure: PromiseMeasure
        /// The policy that it is about; nil for every policy that promises something.
        package let policy: String?
        /// The video's length in bytes that it is about; nil for any.
        package let video: Int64?
        /// The least length in bytes of a video that it is about; nil for any.
        package let videoFrom: Int64?
        /// The planned byte of the kills that it is about; nil for any kill.
        package let at: Int64?
        /// The least value that keeps the promise, in the measure's unit; nil without one.
        package let least: Double?
        /// The greatest value that keeps the promise, in the measure's unit; nil without one.
        package let most: Double?

        /// A figure.
        package init(
            measure: PromiseMeasure, policy: String? = nil, video: Int64? = nil,
            videoFrom: Int64? = nil, at: Int64? = nil, least: Double? = nil, most: Double? = nil
        ) {
            self.measure = measure
            self.policy = policy
            self.video = video
            self.videoFrom = videoFrom
            self.at = at
            self.least = least
            self.most = most
        }

        /// How far a value is from keeping the promise, in the measure's unit; 0 where it keeps it.
        package func excess(of value: Double) -> Double {
            max(0, value - (most ?? value), (least ?? value) - value)
        }
    }

    /// Its id in the documents: B1 to B11.
    package let id: String
    /// The promise in words.
    package let promise: String
    /// The documents' figure, in words.
    package let documented: String
    /// The runs of `--documented` that judge it.
    package let judgedBy: [String]
    /// Its figures, at least one.
    package let limits: [Limit]

    /// A promise.
    package init(
        id: String, promise: String, documented: String, judgedBy: [String], limits: [Limit]
    ) {
        self.id = id
        self.promise = promise
        self.documented = documented
        self.judgedBy = judgedBy
        self.limits = limits
    }
}

/// All promises, and the runs that judge them.
package struct PromiseCatalogue: Sendable, Hashable {
    /// A run of `rig kill-test`.
    package struct Run: Sendable, Hashable {
        /// Its name, by which promises name it.
        package let name: String
        /// Its options.
        package let options: [String]

        /// A run.
        package init(name: String, options: [String]) {
            self.name = name
            self.options = options
        }
    }

    /// The name that stands for what the rig measures by itself.
    package static let rig = "rig"

    /// The promises in order.
    package let promises: [Promise]
    /// The runs in order.
    package let runs: [Run]

    /// A catalogue.
    package init(promises: [Promise], runs: [Run]) {
        self.promises = promises
        self.runs = runs
    }
}

/// What was measured for one figure of a promise.
package struct PromiseReading: Sendable, Hashable {
    /// The promise's id.
    package let promise: String
    /// Which of its limits, from 0.
    package let limit: Int
    /// The value nearest to breaking the promise, or breaking it most.
    package let value: Double
    /// How many observations it is the worst of.
    package let n: Int

    /// A reading.
    package init(promise: String, limit: Int, value: Double, n: Int) {
        self.promise = promise
        self.limit = limit
        self.value = value
        self.n = n
    }
}

/// What became of a promise.
package struct PromiseResult: Sendable, Hashable {
    /// Whether it was kept.
    package enum Verdict: String, Sendable, Hashable, Codable {
        /// Every figure that there is keeps it; ``isPartial`` says whether there are all.
        case holds
        /// At least one figure breaks it.
        case broken
        /// Nothing was measured that could say.
        case notJudged = "not judged"
    }

    /// The promise.
    package let promise: Promise
    /// The worst reading of each limit, in the order of the limits; nil where there is none.
    package let readings: [PromiseReading?]
    /// The runs that were to judge it and failed, did not run, or could not say.
    package let missing: [String]

    /// A result.
    package init(promise: Promise, readings: [PromiseReading?], missing: [String] = []) {
        self.promise = promise
        self.readings = readings
        self.missing = missing
    }

    /// Whether it was kept.
    package var verdict: Verdict {
        let known = zip(promise.limits, readings).compactMap { limit, reading in
            reading.map { limit.excess(of: $0.value) }
        }
        if known.isEmpty { return .notJudged }
        return known.allSatisfy { $0 == 0 } ? .holds : .broken
    }

    /// True when some of its figures were judged and others were not, or not by every run that was
    /// to.
    package var isPartial: Bool {
        verdict != .notJudged && (readings.contains { $0 == nil } || !missing.isEmpty)
    }

    /// The verdict in words: a part of a promise that holds is not all of it.
    package var word: String {
        switch verdict {
        case .holds: isPartial ? "holds in part" : "holds"
        case .broken: "BROKEN"
        case .notJudged: "not judged"
        }
    }

    /// What was measured, in one line; `-` where nothing was.
    package var measured: String { parts.isEmpty ? "-" : parts.joined(separator: "; ") }

    /// What was measured, figure by figure; a broken one says by how much.
    package var parts: [String] {
        let figures = zip(promise.limits, readings).compactMap { limit, reading -> String? in
            guard let reading else { return nil }
            let unit = limit.measure.unit
            let about = limit.at.map { " at \(ByteSize(bytes: $0))" } ?? limit.policyWord
            let excess = limit.excess(of: reading.value)
            let broken = excess > 0 ? ", broken by \(unit.brief(excess))" : ""
            return "\(unit.brief(reading.value)) \(limit.measure.words)\(about)"
                + " (n \(reading.n)\(broken))"
        }
        let rest = missing.isEmpty ? [] : ["not known from \(missing.joined(separator: ", "))"]
        return figures.isEmpty ? [] : figures + rest
    }
}

extension Promise.Limit {
    /// The policy, where the same is measured of several.
    fileprivate var policyWord: String {
        measure == .lossPercent ? policy.map { " with \($0)" } ?? "" : ""
    }
}

extension MetricUnit {
    /// The value as people read it, without the exact figure beside it.
    fileprivate func brief(_ value: Double) -> String {
        switch self {
        case .bytes: Self.readableBytes(value)
        case .percent: "\(FixedPoint.text(value, decimals: 2)) %"
        case .fraction: FixedPoint.text(value, decimals: 2)
        case .seconds: Self.readableSeconds(value)
        case .count: text(value)
        }
    }
}
