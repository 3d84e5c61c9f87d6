/// One documented promise, with the figures that it is held to.
package struct Promise: Sendable, Hashable, Decodable {
    package struct Limit: Sendable, Hashable {
        package var measure: PromiseMeasure
        /// The policy that it is about; nil for every policy with a promise.
        package var policy: String?
        /// The video length in bytes that it is about; nil for any.
        package var video: Int64?
        /// The amount of received bytes that it is about; nil for any kill.
        package var at: Int64?
        /// How many bytes before that amount its kills are spread over, so that the worst moment is
        /// among them; nil for kills that landed at exactly that byte.
        package var within: Int64?
        /// The smallest value that keeps the promise, in the measure's unit; nil for no minimum.
        package var least: Double?
        /// The largest value that keeps the promise, in the measure's unit; nil for no maximum.
        package var most: Double?

        /// How far a value is from keeping the promise, in the measure's unit; 0 when it keeps it.
        package func excess(of value: Double) -> Double {
            max(0, value - (most ?? value), (least ?? value) - value)
        }

        /// An estimate decides only if its whole interval is on one side: another run may differ.
        package func verdict(of reading: PromiseReading) -> PromiseResult.Verdict {
            guard let interval = reading.interval else {
                return excess(of: reading.value) > 0 ? .broken : .holds
            }
            let low = interval.low ?? -.infinity
            let high = interval.high ?? .infinity
            if low > (most ?? .infinity) || high < (least ?? -.infinity) { return .broken }
            return high <= (most ?? .infinity) && low >= (least ?? -.infinity) ? .holds : .undecided
        }
    }

    /// Its id in the documents: B1 to B11.
    package let id: String
    package let promise: String
    package let documented: String
    /// The runs of `rig verify-claims` that judge it.
    package let judgedBy: [String]
    package let limits: [Limit]

    enum CodingKeys: String, CodingKey {
        case id, promise, documented, limits
        case judgedBy = "judged_by"
    }
}

extension Promise.Limit: Decodable {
    enum CodingKeys: String, CodingKey {
        case measure, policy, video, at, within, least, most
    }

    /// Reads a limit; what it is about is one of the measures that the decoder was given.
    package init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        func wrong(_ key: CodingKeys, _ what: String) -> DecodingError {
            DecodingError.dataCorruptedError(forKey: key, in: fields, debugDescription: what)
        }
        let name = try fields.decode(String.self, forKey: .measure)
        let known = decoder.userInfo.values.compactMap { $0 as? [String: PromiseMeasure] }.first
        guard let measure = known?[name] else {
            let advice = name.advice(among: known?.keys.sorted() ?? [])
            throw wrong(.measure, "there is no measure '\(name)'; \(advice)")
        }
        let policy = try fields.decodeIfPresent(String.self, forKey: .policy)
        guard policy.map({ Policy($0) != nil }) ?? true else {
            throw wrong(.policy, "'\(policy ?? "")' is no policy; write a threshold or disabled")
        }
        self.init(
            measure: measure, policy: policy.flatMap { Policy($0)?.name },
            video: try fields.size(.video), at: try fields.size(.at),
            within: try fields.size(.within), least: try fields.number(.least),
            most: try fields.number(.most))
        guard least != nil || most != nil else {
            throw wrong(.measure, "a limit on \(name) needs least or most; write one")
        }
        guard measure.figure != .worstLossPercent || at != nil else {
            throw wrong(
                .measure, "a limit on \(name) needs at, the amount that it is a share of; write it")
        }
    }
}

package struct PromiseReading: Sendable, Hashable {
    package var promise: String
    package var limit: Int
    /// The value closest to breaking the promise, or breaking it most.
    package let value: Double
    /// The number of observations of which it is the worst, or from which it was estimated.
    package var n: Int
    /// The 95 % interval of an estimate, in the measure's unit; nil when the value was observed.
    package var interval: ConfidenceInterval?

    package init(
        promise: String = "", limit: Int = 0, value: Double, n: Int = 1,
        interval: ConfidenceInterval? = nil
    ) {
        (self.promise, self.limit, self.value, self.n) = (promise, limit, value, n)
        self.interval = interval
    }
}

package struct PromiseResult: Sendable, Hashable {
    package enum Verdict: String, Sendable, Hashable, Codable {
        /// Every judged figure keeps it; ``isPartial`` says whether all were judged.
        case holds
        case broken
        /// No figure breaks it, but for at least one another run may give the opposite result.
        case undecided
        case notJudged = "not judged"
    }

    package let promise: Promise
    /// The worst reading of each limit, in the order of the limits; nil when there is none.
    package let readings: [PromiseReading?]
    /// The runs that should judge it but failed, did not run, or were inconclusive.
    package let missing: [String]

    package init(promise: Promise, readings: [PromiseReading?], missing: [String] = []) {
        (self.promise, self.readings, self.missing) = (promise, readings, missing)
    }

    package var verdict: Verdict {
        let known = zip(promise.limits, readings).compactMap { limit, reading in
            reading.map(limit.verdict)
        }
        if known.isEmpty { return .notJudged }
        return [.broken, .undecided].first(where: known.contains) ?? .holds
    }

    /// True when only some of its figures were judged, or not by all the runs that should judge it.
    package var isPartial: Bool {
        verdict != .notJudged && (readings.contains { $0 == nil } || !missing.isEmpty)
    }

    /// The verdict as text, which tells a promise that holds only in part from one that holds.
    package var word: String {
        switch verdict {
        case .holds: isPartial ? "holds in part" : "holds"
        case .broken: "BROKEN"
        case .undecided: "undecided"
        case .notJudged: "not judged"
        }
    }

    package var measured: String { parts.isEmpty ? "-" : parts.joined(separator: "; ") }

    /// The measurements, one per figure; a broken figure says by how much.
    package var parts: [String] {
        let figures = zip(promise.limits, readings).compactMap { limit, reading -> String? in
            guard let reading else { return nil }
            let unit = limit.measure.unit
            let about = limit.policyWord + limit.momentWord
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
    fileprivate var policyWord: String {
        [.lossPercent, .worstLossPercent].contains(measure.figure)
            ? policy.map { " with \($0)" } ?? "" : ""
    }

    /// The amount at which, or right before which, its kills came.
    fileprivate var momentWord: String {
        guard let at else { return "" }
        let place = "\(ByteSize(bytes: at))"
        return " at \(place)" + (within.map { ", over its last \(ByteSize(bytes: $0))" } ?? "")
    }
}

extension PromiseReading {
    /// `, 95 % interval 2.31 % to 3.02 %`; empty for a value that is not an estimate.
    fileprivate func intervalText(_ unit: MetricUnit) -> String {
        guard let interval else { return "" }
        let ends = [interval.low, interval.high].map { $0.map(unit.brief) ?? "unbounded" }
        return ", 95 % interval \(ends[0]) to \(ends[1])"
    }
}

extension MetricUnit {
    func brief(_ value: Double) -> String {
        switch self {
        case .bytes: Self.readableBytes(value)
        case .percent: "\(FixedPoint.text(value, decimals: 2)) %"
        case .fraction: FixedPoint.text(value, decimals: 2)
        case .seconds: Self.readableSeconds(value)
        case .count: text(value)
        }
    }
}
