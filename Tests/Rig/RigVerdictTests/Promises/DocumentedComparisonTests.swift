import RigVerdict
import Testing

@testable import RigModel

/// The documents' own tables beside what runs measured.
struct DocumentedComparisonTests {
    private static let amount = DocumentedTables.Amount(
        at: 10_000, within: 500, saved: 9_500, improvement: 95, loss: 3...5, after: "after",
        before: "before")

    private func part(_ name: String, _ rows: [IterationRow], complete: Bool = true) -> RunPart {
        makePart(name, rows, expected: complete ? rows.count : rows.count + 1, videoLength: 11_000)
    }

    private func rows(_ tables: DocumentedTables, _ parts: [RunPart]) -> [DocumentedRow] {
        var trial = PromiseTrial(of: [])
        for part in parts { trial.add(part) }
        return trial.report(runID: "r", seed: 1, with: tables).documented
    }

    private func kill(lost: Int64, received: Int64, policy: String = "512KB") -> IterationRow {
        makeRow(policy, lost: lost, received: received) { $0.planned = "\(received)" }
    }

    private func measured(_ lost: [Int64], before: Int64 = 0) throws -> DocumentedRow {
        let after = lost.map { kill(lost: $0, received: 9_900) }
        let whole = kill(lost: 9_900 - before, received: 9_900, policy: "disabled")
        // Kills elsewhere, or of another policy, are not among them.
        let others = [
            kill(lost: 5_000, received: 9_000), kill(lost: 600, received: 9_900, policy: "1MB"),
        ]
        return try #require(
            rows(
                DocumentedTables(amounts: [Self.amount]),
                [part("after", after + others), part("before", [whole])]
            ).first)
    }

    @Test func anAmountHasTheMeanAndTheWorstBesideTheDocumentedFigures() throws {
        let row = try measured((0..<60).map { [0, 100, 500][$0 % 3] })
        #expect(row.n == 60 && row.runs == ["after", "before"] && row.item == "10000")
        #expect(row.figures[.documentedSaved] == 9_500 && row.figures[.documentedBefore] == 0)
        #expect(row.figures[.savedMean] == 9_800 && row.figures[.savedLeast] == 9_500)
        #expect(row.figures[.before] == 0)
        #expect(row.figures[.improvementMean] == 98 && row.figures[.improvementLeast] == 95)
        #expect(row.figures[.lossWorst] == 5)
        #expect(row.isHeld == true && row.note.isEmpty)
        #expect(row.documentedLossText == "3-5")
        // As few as this may have been lucky; one that was not is enough.
        let few = try measured([0, 100, 500])
        #expect(few.n == 3 && few.isHeld == nil && few.note.contains("kills prove nothing"))
    }

    /// What 8 MB lose at worst is more than the documents' 5 %, on average it is less.
    @Test func whatIsNotHeldAtItsWorstMomentIsSaid() throws {
        let worst = try measured([0, 0, 501])
        #expect(worst.isHeld == false)
        #expect(worst.figures[.savedLeast] == 9_499)
        for claim in ["the saved bytes", "the improvement", "the loss"] {
            #expect(
                worst.note.contains("\(claim) is not held at its worst moment, but on average"),
                "\(worst.note)")
        }
        let mean = try measured([0, 900, 900])
        #expect(
            mean.note.contains(
                "the loss is not held at its worst moment: the documents' figure is the best case"),
            "\(mean.note)")
    }

    @Test func whatIsThereWithoutSavingIsNoImprovement() throws {
        let row = try measured([0, 500], before: 1_000)
        #expect(row.figures[.before] == 1_000 && row.figures[.improvementLeast] == 85)
        #expect(row.isHeld == false)
    }

    @Test(arguments: [true, false])
    func whatNoRunMeasuredIsNotInvented(isThere: Bool) throws {
        let parts =
            isThere ? [part("after", [kill(lost: 1, received: 9_900)], complete: false)] : []
        let ending = DocumentedTables.Ending(
            way: "crash", lost: 9, runs: ["after"], note: "signal 6")
        let none = DocumentedTables.Ending(way: "no memory", lost: 9, runs: [], note: "no such run")
        let retrieval = DocumentedTables.Retrieval(percent: 100, runs: ["after"], note: "46 of 46")
        let found = rows(
            DocumentedTables(
                amounts: [Self.amount], endings: [ending, none], retrieval: retrieval),
            parts)
        #expect(found.map(\.item) == ["10000", "crash", "no memory", "bytes", "chunks"])
        for row in found {
            #expect(row.n == 0 && row.isHeld == nil)
            #expect(row.note.hasPrefix("not measured") || row.note == "no such run", "\(row)")
            #expect(row.figures.keys.allSatisfy { $0.rawValue.hasPrefix("documented") })
        }
    }

    @Test func aWayToEndHasWhatWasCalledSafeSavedAndLost() throws {
        let ends = [(0, 100), (1, 400)].map { active, lost in
            makeRow(lost: Int64(lost), received: 1_000) {
                $0.activeRequests = active
                $0.acknowledgedBytes = 1_000 - Int64(lost)
            }
        }
        func row(_ most: Int64, _ ends: [IterationRow]) throws -> DocumentedRow {
            let ending = DocumentedTables.Ending(
                way: "crash", lost: most, runs: ["a", "b"], note: "x")
            let parts = [part("a", Array(ends.prefix(1))), part("b", Array(ends.dropFirst()))]
            return try #require(rows(DocumentedTables(endings: [ending]), parts).first)
        }
        let held = try row(400, ends)
        #expect(held.n == 2 && held.isHeld == true && held.note == "x")
        #expect(held.figures[.called] == 1 && held.figures[.calledSafe] == 1_500)
        #expect(held.figures[.saved] == 1_500 && held.figures[.lost] == 500)
        #expect(held.figures[.lostMost] == 400)
        #expect(try row(399, ends).isHeld == false)
        // With one of two ways missing, nothing is held.
        let missing = DocumentedTables.Ending(way: "crash", lost: 400, runs: ["a", "c"], note: "x")
        let one = rows(DocumentedTables(endings: [missing]), [part("a", ends)])
        #expect(one.first?.isHeld == nil && one.first?.n == 2)
        // An unknown loss is no loss of 0.
        let unknown = try row(400, ends + [makeRow(lost: nil)])
        #expect(unknown.figures[.lost] == nil && unknown.isHeld == nil)
    }

    /// The documents' own log printed one number twice: "21 of 21", with a damaged chunk among them.
    @Test(arguments: [(5, 5, true), (4, 5, false), (5, 6, false)])
    func whatWasRetrievedIsComparedWithWhatWasStored(
        chunksFound: Int, commits: Int, isWhole: Bool
    ) throws {
        let kills = (0..<2).map { _ in
            makeRow(lost: 0, received: 1_000) {
                $0.chunks = 5
                $0.commits = commits
                $0.acknowledgedBytes = Int64(commits) * 200
                $0.chunksRetrieved = chunksFound
                $0.retrievedBytes = Int64(chunksFound) * 200
            }
        }
        let retrieval = DocumentedTables.Retrieval(percent: 100, runs: ["a"], note: "46 of 46")
        let found = rows(DocumentedTables(retrieval: retrieval), [part("a", kills)])
        #expect(found.map(\.item) == ["bytes", "chunks"])
        for (row, unit) in zip(found, [200.0, 1]) {
            #expect(row.n == 2 && row.isHeld == isWhole)
            #expect((row.figures[.retrievedPercent] == 100) == isWhole)
            #expect(row.figures[.stored] == 2 * unit * Double(max(5, commits)))
        }
        #expect(found.last?.figures[.retrieved] == (isWhole || commits == 6 ? 10 : 8))
    }
}
