import Fixture
import OriginFaults
import RigModel
import Testing

@testable import FixtureOrigin

struct OriginFaultsTests {
    /// What a fault makes of connections, of answers to some requests, and of their rate.
    private struct Effect: Hashable {
        static let plain = Effect([])
        private static let requests = [
            RequestFacts(), RequestFacts(hop: 1), RequestFacts(method: "HEAD"),
            RequestFacts(range: "bytes=4000-"),
            RequestFacts(range: "bytes=4000-", ifRange: "\"tag\""),
            RequestFacts(range: "bytes=4000-", ifRange: "\"other\""),
        ]

        let connection: ToxicPlan
        let answers: [ResponsePlan]
        let bytesPerSecond: Double?

        init(_ faults: [OriginFault]) {
            let video = MemoryVideo([UInt8](repeating: 1, count: 10_000))
            var schedule = FaultSchedule(faults, of: Resource(source: video, etag: "\"tag\""))
            connection = ToxicPlan(faults, connection: 1)
            bytesPerSecond = schedule.bytesPerSecond
            answers = Self.requests.map { schedule.answer($0).plan }
        }
    }

    /// A fault that is never carried out would make every run under it look clean.
    @Test func everyFaultIsCarriedOutByTheOrigin() throws {
        let texts = [
            "latency:50ms", "bandwidth:1MB/s", "slow_close:200ms", "reset_peer", "reset_peer:9KB",
            "slicer:1000", "limit_data:1MB", "ignore_range", "change_etag", "weak_etag",
            "no_validators", "last_modified_only", "edges", "early_range", "unknown_total",
            "ignore_if_range", "refuse_if_range", "wrong_content_range:later",
            "wrong_content_range:short", "wrong_content_range:total", "wrong_content_range:missing",
            "no_length", "encode", "redirect", "redirect_loop", "always_416", "not_modified",
            "truncate:1KB", "overlong:1KB", "reset:1KB", "silent:1KB", "slow:1MB/s", "refuse_head",
            "status:503", "multipart", "moved", "changed", "shortened", "longer",
        ]
        let faults = try texts.map { try OriginFault($0) }
        #expect(Set(faults.map(\.kind)) == Set(OriginFault.Kind.allCases))
        for fault in faults {
            // A new version is another resource, which a kill-test serves at the relaunch.
            let isSeen = Effect([fault]) != .plain
            #expect(isSeen != fault.kind.facts.isNewVersion, "\(fault.text)")
        }
        let seen = faults.filter { !$0.kind.facts.isNewVersion }.map { Effect([$0]) }
        #expect(Set(seen).count == seen.count)
        #expect(seen.count { $0.connection != Effect.plain.connection } == 7)
    }

    @Test func valuesAndTimesArriveAsGiven() throws {
        let faults = try [
            "latency:50ms", "reset_peer:1KB:2", "limit_data:3000:4", "bandwidth:2KB/s", "slicer:7",
            "slow_close:1s", "status:503:5", "redirect:3", "truncate:1KB:1", "change_etag:9",
        ].map { try OriginFault($0) }
        #expect(
            faults == [
                OriginFault(.latency, .milliseconds(50)),
                OriginFault(.resetPeer, .bytes(1024), times: 2),
                OriginFault(.limitData, .bytes(3000), times: 4),
                OriginFault(.bandwidth, .pace(2048)), OriginFault(.slicer, .bytes(7)),
                OriginFault(.slowClose, .milliseconds(1000)),
                OriginFault(.status, .number(503), times: 5), OriginFault(.redirect, .number(3)),
                OriginFault(.truncate, .bytes(1024), times: 1),
                OriginFault(.changeETag, .number(9)),
            ])
        let plans = [2, 4, 5].map { ToxicPlan(faults, connection: $0) }
        #expect(plans.allSatisfy { $0.latency == .milliseconds(50) && $0.sliceSize == 7 })
        #expect(plans.allSatisfy { $0.closeDelay == .seconds(1) && $0.bytesPerSecond == 2048 })
        #expect(plans[0].earlyEnd == .init(bytes: 1024, delay: .zero, isReset: true))
        #expect(plans[1].earlyEnd == .init(bytes: 3000, delay: .zero, isReset: false))
        #expect(plans[2].earlyEnd == nil)
        let late = ToxicPlan([try OriginFault("reset_peer:10ms")], connection: 9)
        #expect(late.earlyEnd == .init(bytes: 0, delay: .milliseconds(10), isReset: true))
    }
}
