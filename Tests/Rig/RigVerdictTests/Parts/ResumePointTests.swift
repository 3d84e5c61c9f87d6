import RigModel
import RigVerdict
import Testing

/// A run is resumed after its last complete iteration.
struct ResumePointTests {
    private let manifest: Manifest
    private let rows: [IterationRow]

    init() throws {
        var maker = PartMaker()
        maker.kills = 3
        // Iterations 2 and 4 of two policies: 12 rows.
        manifest = try maker.manifest(2, of: 2)
        rows = PartMaker.rows(of: manifest)
    }

    private func message(_ rows: [IterationRow]) -> String? {
        refusal { _ = try ResumePoint(rows, of: manifest) }
    }

    @Test(arguments: 0...12)
    func wholeIterationsStay(count: Int) throws {
        let point = try ResumePoint(Array(rows.prefix(count)), of: manifest)
        #expect(point.kept == Array(rows.prefix(count / 3 * 3)))
        #expect(point.remaining == Array(manifest.schedule.dropFirst(count / 3)))
    }

    @Test func rowsThatAreNotTheFirstOnesAreRefused() {
        var without = rows
        without.remove(at: 4)
        #expect(
            message(without)?.hasPrefix(
                "iterations.csv: row 5 is kill 3 of iteration 2 of disabled, where the plan has kill 2"
            ) ?? false)
        #expect(message(Array(rows.dropFirst(3))) != nil)
        #expect(message(rows.reversed()) != nil)
    }

    @Test func rowsOfAnotherRunAreRefused() {
        var foreign = rows
        foreign[1].seed += 1
        #expect(message(foreign)?.contains("column seed") ?? false)
    }
}
