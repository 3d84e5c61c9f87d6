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
        /// The byte that the kills it is about were planned for and came at; nil for any kill.
        package let at: Int64?
        /// The least value that keeps the promise, in the measure's unit; nil without one.
        package let least: Double?
        /// The greatest value that keeps the promise, in the measure's unit; nil without one.
        package let most: Double?

        /// A figure.
        package init(
            measure: PromiseMeasure, policy: String? = nil, video: Int64? = nil,
            at: Int64? = nil, least: Double? = nil, most: Double? = nil
        ) {
            self.measure = measure
            self.policy = policy
            self.video = video
            self.at = at
            self.least = least
            self.most = most
        }

        /// How far a value is from keeping the promise, in the measure's unit; 0 where it keeps it.
        package func excess(of value: Double) -> Double {
            max(0, value - (most ?? value), (least ?? value) - value)
        }

        /// What a reading says of this figure.
        ///
        /// An estimate decides only where its whole interval lies on one side: of one that straddles
        /// the figure, another run may well show the opposite.
        package func verdict(of reading: PromiseReading) -> PromiseResult.Verdict {
            guard let interval = reading.interval else {
                return excess(of: reading.value) > 0 ? .broken : .holds
            }
            let low = interval.low ?? -.infinity
            let high = interval.high ?? .infinity
            if low > (most ?? .infinity) || high < (least ?? -.infinity) { return .broken }
            return high <= (most ?? .infinity) && low >= (least ?? -.infinity)
                ? .holds : .undecided
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
    /// How many observations it is the worst of, or was estimated from.
    package let n: Int
    /// The 95 % interval of what is estimated, in the measure's unit; nil where the value is no
    /// estimate but what was seen.
    package let interval: ConfidenceInterval?

    /// A reading.
    package init(
        promise: String, limit: Int, value: Double, n: Int, interval: ConfidenceInterval? = nil
    ) {
        self.promise = promise
        self.limit = limit
        self.value = value
        self.n = n
        self.interval = interval
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
        /// None breaks it, and of at least one another run may well show the opposite.
        case undecided
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
            reading.map(limit.verdict)
        }
        if known.isEmpty { return .notJudged }
        return [.broken, .undecided].first(where: known.contains) ?? .holds
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
        case .undecided: "undecided"
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
            let about = limit.policyWord + (limit.at.map { " at \(ByteSize(bytes: $0))" } ?? "")
            let end =
                switch limit.verdict(of: reading) {
                case .broken: ", broken by \(unit.brief(limit.excess(of: reading.value)))"
                case .undecided: ", undecided"
                case .holds, .notJudged: ""
                }
            return "\(unit.brief(reading.value)) \(limit.measure.words)\(about)"
                + " (n \(reading.n)\(reading.intervalText(unit))\(end))"
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

extension PromiseReading {
    /// `, 95 % interval 2.31 % to 3.02 %`; empty for what is no estimate.
    fileprivate func intervalText(_ unit: MetricUnit) -> String {
        guard let interval else { return "" }
        let ends = [interval.low, interval.high].map { $0.map(unit.brief) ?? "unbounded" }
        return ", 95 % interval \(ends[0]) to \(ends[1])"
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
