import FixtureOrigin
import RigLab
import RigModel
import Testing

struct OriginFaultsTests {
    /// A fault that is never carried out would make every run under it look clean.
    @Test func everyFaultIsCarriedOutByTheOrigin() throws {
        let texts = [
            "latency:50ms", "bandwidth:1MB/s", "slow_close:200ms", "reset_peer", "reset_peer:9KB",
            "slicer:1000", "limit_data:1MB", "ignore_range", "change_etag", "weak_etag",
            "no_validators", "last_modified_only", "edges", "early_range", "unknown_total",
            "ignore_if_range", "refuse_if_range",
            "wrong_content_range:later", "wrong_content_range:short", "wrong_content_range:total",
            "wrong_content_range:missing", "no_length", "encode", "redirect", "redirect_loop",
            "always_416", "not_modified", "truncate:1KB", "overlong:1KB", "reset:1KB",
            "silent:1KB", "slow:1MB/s", "refuse_head", "status:503", "multipart", "moved",
            "changed", "shortened", "longer",
        ]
        let faults = try texts.map { try OriginFault($0) }
        #expect(Set(faults.map(\.kind)) == Set(OriginFault.Kind.allCases))
        for fault in faults {
            let carriedOut = OriginFaults([fault])
            // A new version is another resource, which a kill-test serves at the relaunch.
            let count = fault.kind.isNewVersion ? 0 : 1
            #expect(carriedOut.http.count + carriedOut.toxics.count == count, "\(fault.text)")
        }
        let all = OriginFaults(faults)
        #expect(all.toxics.count == 7)
        #expect(Set(all.http.map(\.kind)).count == all.http.count)
    }

    @Test func valuesAndTimesArriveAsGiven() throws {
        let faults = OriginFaults(
            try [
                "latency:50ms", "reset_peer:1KB:2", "reset_peer:10ms", "limit_data:3:4",
                "bandwidth:2KB/s", "slicer:7", "slow_close:1s", "status:503:5", "redirect:3",
                "truncate:1KB:1", "change_etag:9",
            ].map { try OriginFault($0) })
        #expect(
            faults.toxics == [
                .latency(.milliseconds(50)), .resetPeerAt(bytes: 1024, connections: 2),
                .resetPeer(after: .milliseconds(10), connections: nil),
                .limitData(bytes: 3, connections: 4), .bandwidth(bytesPerSecond: 2048),
                .slicer(bytes: 7), .slowClose(.seconds(1)),
            ])
        #expect(
            faults.http == [
                HTTPFault(.status(503), times: 5), HTTPFault(.redirect(hops: 3)),
                HTTPFault(.truncate(after: 1024), times: 1),
                HTTPFault(.changeETag(afterRequests: 9)),
            ])
    }
}
