import RigModel
import Testing

/// What a kill may cost, by what a worker promises (B1).
///
/// Of two requests under way that had received 10 and 600,000 bytes, the kill may cost a threshold
/// and 10 bytes more. Taken in the order in which they came, it was allowed two thresholds.
@Suite struct LossBoundTests {
    private static let threshold: Int64 = 524_288
    private static let policy = Policy(threshold: ByteSize(bytes: threshold))

    private static func bound(
        _ taken: [Int64]?, active: Int?, policy: Policy = Self.policy, fault: Fault = .sigkill,
        hasEnded: Bool = false
    ) -> Int64? {
        LossBound.threshold.bytes(
            policy: policy, fault: fault, activeRequests: active, taken: taken,
            bytesPerSecond: nil, hasEnded: hasEnded)
    }

    /// The numbers in every order.
    private static func orders(of numbers: [Int64]) -> [[Int64]] {
        guard numbers.count > 1 else { return [numbers] }
        return numbers.indices.flatMap { index in
            var rest = numbers
            let first = rest.remove(at: index)
            return orders(of: rest).map { [first] + $0 }
        }
    }

    @Test(
        "each request but the largest adds what it had received, at most a threshold, in any order",
        arguments: [
            (2, [10, 600_000], 524_298), (2, [600_000, 700_000], 1_048_576),
            (2, [10, 20], 524_298), (1, [10, 600_000], 524_288), (1, [600_000], 524_288),
            (1, [7], 524_288), (3, [1, 2, 600_000], 524_291), (2, [1, 2, 600_000], 524_290),
            (3, [5, 600_000, 600_001], 1_048_581), (2, [0, 600_000], 524_288),
            (2, [524_287, 524_288], 1_048_575), (4, [9, 600_000], 524_297),
            (3, [524_289, 600_000, 700_000], 1_572_864), (4, [1, 20, 300, 4_000], 524_609),
            (0, [], 524_288), (2, [], 524_288),
        ] as [(Int, [Int64], Int64)])
    func eachRequestAddsWhatItHadReceived(active: Int, taken: [Int64], expected: Int64) {
        for order in Self.orders(of: taken) {
            #expect(Self.bound(order, active: active) == expected, "\(order)")
        }
    }

    @Test(arguments: [(0, 524_288), (1, 524_288), (2, 1_048_576), (5, 2_621_440)])
    func whereItIsUnknownWhatEachHadReceivedEachMayLoseAThreshold(active: Int, bound: Int64) {
        #expect(Self.bound(nil, active: active) == bound)
    }

    @Test func withoutAPromiseOrTheNumberOfRequestsThereIsNone() {
        #expect(Self.bound([10, 600_000], active: nil) == nil)
        #expect(Self.bound([10], active: 1, policy: Policy(threshold: nil)) == nil)
        #expect(Self.bound([10], active: 1, fault: .powerCut) == nil)
        #expect(Self.bound([10], active: 1, fault: .powerCutTorn, hasEnded: true) == nil)
        let synced = Policy(threshold: ByteSize(bytes: 100), durability: .power)
        #expect(Self.bound([10, 60], active: 2, policy: synced, fault: .powerCut) == 110)
    }

    /// S2, T12: by the threshold everything is saved at the end, and a promise in bytes stays one.
    @Test func aWorkerThatEndedWhenAskedHasNothingToLose() {
        #expect(Self.bound([10, 600_000], active: 2, fault: .term, hasEnded: true) == 0)
        #expect(Self.bound([10, 600_000], active: 2, fault: .term) == 524_298)
        #expect(Self.bound(nil, active: 3, fault: .term, hasEnded: true) == 0)
        let bytes = LossBound.bytes(4096).bytes(
            policy: Self.policy, fault: .term, activeRequests: 2, bytesPerSecond: nil,
            hasEnded: true)
        #expect(bytes == 4096)
    }

    @Test(arguments: [Policy(threshold: nil), policy], [nil, 0, 3] as [Int?])
    func aNumberOfBytesIsForAllRequestsTogether(policy: Policy, active: Int?) {
        for fault in [Fault.sigkill, .powerCut, .oom] {
            let bound = LossBound.bytes(16_384).bytes(
                policy: policy, fault: fault, activeRequests: active, taken: [10, 600_000],
                bytesPerSecond: 1)
            #expect(bound == 16_384)
        }
    }

    @Test(
        arguments: [
            (0.5, 1_001, 501), (0.5, 1_000, 500), (2, 125_000, 250_000), (1e10, .max, .max),
            (0.5, nil, nil),
        ] as [(Double, Int64?, Int64?)])
    func secondsCountWhatTheOriginCanSend(seconds: Double, rate: Int64?, expected: Int64?) {
        let bound = LossBound.seconds(seconds).bytes(
            policy: Policy(threshold: nil), fault: .sigkill, activeRequests: nil,
            bytesPerSecond: rate)
        #expect(bound == expected)
    }
}
