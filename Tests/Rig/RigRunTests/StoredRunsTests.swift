import Foundation
import RigLab
import RigModel
import RigReport
import RigVerdict
import Testing

@testable import RigRun

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

struct StoredResumePointTests {
    private let runs: RunsFolder

    init() throws { runs = try RunsFolder() }

    private func file(of run: StoredRun) -> URL {
        URL(fileURLWithPath: run.folder.path).appendingPathComponent("iterations.csv")
    }

    /// A rig that is killed leaves half a line, which is cut off, and half a chain of kills.
    @Test func aTornLineAndAnUnfinishedChainAreDoneAgain() throws {
        var chains = try settings()
        chains.kills = 3
        let run = try runs.store("run", chains, rows: 8)
        let text = try String(contentsOf: file(of: run), encoding: .utf8)
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        try String(text.dropLast(20)).write(to: file(of: run), atomically: true, encoding: .utf8)
        let (point, length) = try run.resumePoint(console: silence)
        #expect(point.kept.map(\.iteration) == [1, 1, 1, 2, 2, 2])
        #expect(point.remaining.map(\.iteration) == [3, 4])
        #expect(length == lines.prefix(7).joined(separator: "\n").utf8.count + 1)
    }

    @Test(arguments: ["", "schema,run_id,iter"])
    func aFileThatWasJustBegunIsBegunAnew(text: String) throws {
        let run = try runs.store("run", settings())
        try text.write(to: file(of: run), atomically: true, encoding: .utf8)
        let (point, length) = try run.resumePoint(console: silence)
        #expect(point.kept.isEmpty && length == 0)
        #expect(point.remaining == run.manifest.schedule)
    }

    @Test func aRunThatIsDoneHasNothingLeft() throws {
        let run = try runs.store("run", settings(thresholds: [256 << 10, nil]))
        let (point, _) = try run.resumePoint(console: silence)
        #expect(point.kept.count == 8 && point.remaining.isEmpty)
    }

    /// The same figures in another form: appending to it would mix two forms.
    @Test func aFileInAnotherFormIsRefused() throws {
        let run = try runs.store("run", settings(), rows: 2)
        let text = try String(contentsOf: file(of: run), encoding: .utf8)
        try text.replacing("\n", with: "\r\n").write(
            to: file(of: run), atomically: true, encoding: .utf8)
        let message = refusal(.data) { _ = try run.resumePoint(console: silence) }
        #expect(message?.contains("not as the rig wrote it") == true, "\(message ?? "accepted")")
    }
}

struct PartsSearchTests {
    private let runs: RunsFolder

    init() throws { runs = try RunsFolder() }

    private func storePart(_ index: Int, of count: Int, at name: String) throws {
        var part = try settings()
        part.partition = RunPartition(index: index, of: count)
        try runs.store(name, part)
    }

    private func found(_ folders: [String]) throws -> PartsSearch {
        try PartsSearch(folders.map { "\(runs.path)/\($0)" }, console: silence)
    }

    private func names(_ search: PartsSearch) -> [String] {
        search.parts.map { String($0.folder.path.dropFirst(runs.path.count + 1)) }
    }

    @Test func partsAreFoundTwoLevelsBelow() throws {
        try storePart(1, of: 3, at: "all/part-1-of-3")
        try storePart(2, of: 3, at: "all/upload/part-2-of-3")
        try storePart(3, of: 3, at: "all/one/more/part-3-of-3")
        let search = try found(["all/"])
        #expect(Set(names(search)) == ["all/part-1-of-3", "all/upload/part-2-of-3"])
        #expect(search.named.isEmpty && search.unfinished.isEmpty)
    }

    @Test func aPartThatIsNamedTwiceIsOnePart() throws {
        try storePart(1, of: 1, at: "all/part-1-of-1")
        let search = try found(["all", "all/part-1-of-1"])
        #expect(names(search) == ["all/part-1-of-1"])
        #expect(search.named == ["\(runs.path)/all/part-1-of-1"])
    }

    @Test func anUnfinishedPartIsNamedAndNotUsed() throws {
        let partition = try #require(RunPartition(index: 1, of: 2))
        let part = try PartFolder(partition, in: "\(runs.path)/all", runID: "run-1")
        let name = (part.unfinished.path as NSString).lastPathComponent
        try storePart(1, of: 2, at: "all/\(name)")
        try storePart(2, of: 2, at: "all/part-2-of-2")
        let search = try found(["all"])
        #expect(names(search) == ["all/part-2-of-2"])
        #expect(search.unfinished == ["\(runs.path)/all/\(name)"])
    }

    @Test func aWholeRunIsNoPart() throws {
        try runs.store("all/whole", settings())
        try storePart(1, of: 1, at: "all/part-1-of-1")
        #expect(try names(found(["all"])) == ["all/part-1-of-1"])
        let message = refusal(.data) { _ = try found(["all/whole"]) }
        #expect(message?.contains("nothing to be merged with") == true, "\(message ?? "")")
    }
}
