import Foundation
import Glibc
import RigModel
import Testing

@testable import RigLab

@Suite struct TracingTests {
    /// The tracer's end was taken for the moment of a kill at a call.
    ///
    /// On a machine with fifteen busy processes it came more than a second later. A connection that
    /// the kill had closed then counted as closed long before, and an honest page was blamed: "the
    /// page tells of 1 requests under way that have received bytes, and the origin and the kernel saw
    /// 0". A first byte that was seen later than the kill gave a share of the run below 0.
    @Test(arguments: [(4.0, 1.0), (2.0, 0.0)])
    func aKillAtACallHasItsOwnMomentAndNotTheTracersEnd(sinceByte: Double, atKill: Double) throws {
        let place = try TemporaryFolder()
        let folder = try IterationFolder(creating: place.file("1"))
        var time = timespec()
        clock_gettime(CLOCK_BOOTTIME, &time)
        let killed = Double(time.tv_sec) + Double(time.tv_nsec) / 1e9 - 3
        let report = """
            {"counted": 7, "countedByName": {"pwrite64": 7}, "isFiltered": true, "unseen": [],
             "signal": 9, "kill": {"edge": "before", "secondsSinceBoot": \(killed), "call":
              {"ordinal": 7, "name": "pwrite64", "callClass": "write", "threadID": 1, "path": "/v"}}}
            """
        try Data(report.utf8).write(to: URL(fileURLWithPath: folder.traceReport))
        let tracing = Tracing(
            tracer: "rig", folder: folder, moment: CallMoment(ordinal: 7, edge: .before))
        let now = ContinuousClock.now
        let worker = LivingWorker(
            launched: now - .seconds(5), processID: 0, kill: {}, end: {}, askGroup: {},
            send: { _ in }, fault: .sigkill, environment: [:])
        var seen = Milestones(launched: worker.launched)
        seen.secondsSinceFirstByte = sinceByte
        tracing.complete(&seen, of: worker)
        let moment = try #require(seen.moment)
        #expect(seen.sent && abs((now - moment).seconds - 3) < 0.5)
        #expect(abs(try #require(seen.killSeconds) - 2) < 0.5)
        let since = try #require(seen.secondsSinceFirstByte)
        #expect(since >= 0 && abs(since - atKill) < 0.5)
        #expect(abs(try #require(seen.firstByte) - (2 - atKill)) < 0.5)
    }
}
