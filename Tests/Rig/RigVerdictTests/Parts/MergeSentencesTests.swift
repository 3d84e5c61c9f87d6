import RigModel
import RigVerdict
import Testing

/// What a merged run lacks is named, and it never passes.
struct MergeSentencesTests {
    private let maker = PartMaker()

    private func join(_ indices: [Int], of count: Int, cut: Int = 0) throws -> PartsJoin {
        try PartsJoin(
            try indices.map { index in
                try maker.part(index, of: count) { if index == 2 { $0.removeLast(cut) } }
            }, expected: nil)
    }

    private func missing(_ join: PartsJoin) -> String? {
        MergeSentences.missing(join.manifest, rows: join.rows)
    }

    private func status(_ join: PartsJoin) throws -> RigModel.ExitStatus {
        try RunSummary(
            runID: "r", command: "", seed: 1, rows: join.rows,
            expectedRows: join.manifest.expectedRows, gates: join.manifest.judgedBy,
            missing: missing(join)
        ).status
    }

    @Test func aWholeRunLacksNothing() throws {
        let join = try join([1, 2, 3], of: 3)
        #expect(missing(join) == nil)
        #expect(MergeSentences.copies(join.manifest).isEmpty)
        #expect(MergeSentences.missing(try maker.manifest(1, of: 1), rows: []) == nil)
    }

    @Test func missingPartsAreNamed() throws {
        let one = try join([1, 3], of: 3)
        #expect(
            missing(one)
                == "part 2 of 3 is missing: run --partition slice:2/3, then merge again")
        #expect(try status(one) == .incomplete)
        let two = try join([2], of: 3)
        #expect(
            missing(two)
                == "parts 1 and 3 of 3 are missing: run --partition slice:1/3 and so on, then merge "
                + "again")
    }

    @Test func manyMissingPartsAreCounted() throws {
        let text = missing(try join([1], of: 1_000_000))
        #expect(
            text?.hasPrefix("parts 2, 3, 4, 5, 6, 7, 8, 9, 10, 11 and 999989 more of 1000000 are ")
                ?? false, "\(text ?? "-")")
    }

    @Test func missingRowsAreNamedByTheirPart() throws {
        let join = try join([1, 2], of: 2, cut: 1)
        #expect(
            missing(join)
                == "part 2 of 2 has 3 of its 4 rows: run it again in the place of what is there, "
                + "then merge again")
        #expect(try status(join) == .incomplete)
    }

    /// With more parts than iterations the last ones have no rows, but can still be missing.
    @Test func aPartWithoutIterationsCanBeMissing() throws {
        let whole = try join([1, 2, 3, 4, 5], of: 5)
        #expect(missing(whole) == nil)
        #expect(try status(whole) == .inconclusive, "none of the rows proves anything")
        let short = try join([1, 2, 3, 4], of: 5)
        #expect(short.rows.count == short.manifest.expectedRows)
        #expect(missing(short)?.hasPrefix("part 5 of 5 is missing") ?? false)
        #expect(try status(short) == .incomplete)
    }
}
