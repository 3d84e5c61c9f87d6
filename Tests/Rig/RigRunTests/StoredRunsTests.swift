import RigLab
import RigModel
import RigReport
import Testing

@testable import RigRun

/// What `rig list` says of stored runs.
struct StoredRunsTests {
    private let runs: RunsFolder

    init() throws { runs = try RunsFolder() }

    private func listing() throws -> RunListing {
        try #require(try StoredRuns(in: runs.path, console: silence).listings.first)
    }

    /// A run under way was listed as `INCOMPLETE`, like one that had been cut short.
    @Test func aRunUnderWayIsRunning() throws {
        let run = try runs.store("run", settings(), rows: 2)
        let lock = try RunLock(run.folder)
        let underWay = try listing()
        #expect(underWay.isRunning && underWay.status == .incomplete && underWay.rows == 2)
        #expect(RunsTable.text([underWay]).contains("  RUNNING  "))
        #expect(RunsJSON.text([underWay]).contains("\"running\": true"))
        lock.release()
        let cutShort = try listing()
        #expect(!cutShort.isRunning && cutShort.status == .incomplete)
        #expect(RunsTable.text([cutShort]).contains("  INCOMPLETE  "))
        #expect(RunsJSON.text([cutShort]).contains("\"running\": false"))
    }
}
