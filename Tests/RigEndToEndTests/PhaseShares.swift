import Foundation
import Waiting
import Witness

/// How the time of unharmed lives is spread over the phases that a worker's page shows, as it was
/// sampled from outside.
struct PhaseShares: Sendable {
    /// A look at the page of a life.
    struct Look: Sendable {
        /// Since the first byte was received.
        let seconds: Double
        /// `ended` once the process has.
        let phase: String
    }

    /// One life's looks, in their order, the last of them at its end.
    typealias Life = [Look]

    /// What the place of a phase has for kills that came after the end of the process.
    static let ended = "ended"

    /// Samples the page of a worker until it has ended; blocks.
    ///
    /// - Parameters:
    ///   - page: the worker's page.
    ///   - process: the worker, a child that nothing else reaps meanwhile.
    ///   - length: the video's, in bytes.
    /// - Returns: the looks since the first byte, the seconds until everything was acknowledged, and
    ///   how often a second was looked.
    /// - Throws: where it does not end.
    static func sample(
        _ page: WitnessReader, of process: pid_t, length: UInt64
    ) throws -> Sampled {
        var looks: Life = []
        var first: ContinuousClock.Instant?
        var complete: Double?
        var before = ""
        var count = 0
        try blockUntil("the worker has ended", every: .microseconds(10)) {
            let phase = page.phase.map { "\($0)" } ?? ""
            let now = ContinuousClock.now
            let records = complete == nil ? page.records : []
            if first == nil, records.contains(where: { $0.received > 0 }) { first = now }
            guard let first else { return hasEnded(process) }
            count += 1
            let seconds = now.seconds(since: first)
            if complete == nil, records.reduce(0, { $0 + $1.acknowledged }) >= length {
                complete = seconds
            }
            if phase != before { looks.append(Look(seconds: seconds, phase: phase)) }
            before = phase
            return hasEnded(process)
        }
        let end = first.map { ContinuousClock.now.seconds(since: $0) } ?? 0
        looks.append(Look(seconds: end, phase: ended))
        return Sampled(
            looks: looks, completeSeconds: complete, perSecond: end > 0 ? Double(count) / end : 0)
    }

    /// What a sampled life has shown.
    struct Sampled: Sendable {
        let looks: Life
        let completeSeconds: Double?
        let perSecond: Double
    }

    /// True once a child has ended, which is left to be reaped.
    private static func hasEnded(_ process: pid_t) -> Bool {
        var information = siginfo_t()
        let options = WEXITED | WNOHANG | WNOWAIT
        let result = waitid(P_PID, id_t(process), &information, options)
        return result != 0 || information.si_signo != 0
    }

    /// The share of each phase in a stretch of time that all lives have.
    ///
    /// - Parameters:
    ///   - lives: at least one.
    ///   - stretch: seconds since the first byte.
    /// - Returns: the shares, which add up to 1.
    static func shares(of lives: [Life], in stretch: ClosedRange<Double>) -> [String: Double] {
        var seconds: [String: Double] = [:]
        for life in lives {
            for (index, look) in life.enumerated() {
                let end = index + 1 < life.count ? life[index + 1].seconds : .infinity
                let from = max(look.seconds, stretch.lowerBound)
                let to = min(end, stretch.upperBound)
                if to > from { seconds[look.phase, default: 0] += to - from }
            }
        }
        let whole = seconds.values.reduce(0, +)
        return seconds.mapValues { $0 / whole }
    }
}

extension ContinuousClock.Instant {
    fileprivate func seconds(since other: Self) -> Double {
        let duration = other.duration(to: self)
        return Double(duration.components.seconds)
            + Double(duration.components.attoseconds) * 1e-18
    }
}

/// Pearson's test whether counts come from given shares.
struct ChiSquare: Sendable {
    let statistic: Double
    let degrees: Int
    /// By simulation, from a fixed seed: the share of draws that lie as far off.
    let pValue: Double

    /// Below this expectation a category is joined with the others that are.
    static let least = 5.0

    /// Tests counts against shares.
    ///
    /// - Parameters:
    ///   - counts: by category.
    ///   - shares: by category; together 1.
    ///   - draws: how many are simulated.
    init(_ counts: [String: Int], against shares: [String: Double], draws: Int = 10_000) {
        let total = counts.values.reduce(0, +)
        var expected: [Double] = []
        var observed: [Double] = []
        var rest = (expected: 0.0, observed: 0.0)
        for name in Set(counts.keys).union(shares.keys).sorted() {
            let want = (shares[name] ?? 0) * Double(total)
            let have = Double(counts[name] ?? 0)
            if want >= Self.least {
                expected.append(want)
                observed.append(have)
            } else {
                rest = (rest.expected + want, rest.observed + have)
            }
        }
        if rest.expected > 0 || rest.observed > 0 {
            // A category that is never expected must not divide by nothing.
            expected.append(max(rest.expected, 0.5))
            observed.append(rest.observed)
        }
        let distance = Self.distance(observed, expected)
        statistic = distance
        degrees = max(0, expected.count - 1)
        var random = SystemlessRandom(state: 0x5EED)
        let sum = expected.reduce(0, +)
        var farther = 0
        for _ in 0..<draws {
            var drawn = [Double](repeating: 0, count: expected.count)
            for _ in 0..<total {
                var place = random.unit() * sum
                var index = 0
                while index < expected.count - 1, place >= expected[index] {
                    place -= expected[index]
                    index += 1
                }
                drawn[index] += 1
            }
            if Self.distance(drawn, expected) >= distance { farther += 1 }
        }
        pValue = Double(farther) / Double(draws)
    }

    private static func distance(_ observed: [Double], _ expected: [Double]) -> Double {
        zip(observed, expected).reduce(0) { $0 + ($1.0 - $1.1) * ($1.0 - $1.1) / $1.1 }
    }

    /// SplitMix64 (Steele, Lea and Flood 2014).
    private struct SystemlessRandom {
        var state: UInt64

        mutating func unit() -> Double {
            state &+= 0x9E37_79B9_7F4A_7C15
            var word = state
            word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
            word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
            return Double((word ^ (word >> 31)) >> 11) * 0x1p-53
        }
    }
}
