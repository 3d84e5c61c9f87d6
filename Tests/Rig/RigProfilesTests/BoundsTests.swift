import RigModel
import Testing

@testable import RigProfiles

@Suite("The documents' promises as they are written down")
struct BoundsTests {
    @Test("the file that is compiled in has B1 to B11, each judged by a run that there is")
    func standard() throws {
        let catalogue = try Bounds.standard()
        #expect(catalogue.promises.map(\.id) == (1...11).map { "B\($0)" })
        #expect(catalogue.promises.allSatisfy { !$0.judgedBy.isEmpty && !$0.documented.isEmpty })
        let named = Set(catalogue.promises.flatMap(\.judgedBy)).subtracting([PromiseCatalogue.rig])
        #expect(Set(catalogue.runs.map(\.name)) == named.union(catalogue.documented.runs))
        let measures = Set(catalogue.promises.flatMap(\.limits).map(\.measure))
        #expect(measures == Set(PromiseMeasure.allCases), "every measure is a promise's")
    }

    @Test("the figures are the documents'")
    func figures() throws {
        let promises = try Bounds.standard().promises
        let saved = promises[2].limits
        #expect(saved.map(\.at) == [1, 5, 10, 50].map { $0 << 20 })
        #expect(saved.map(\.least) == [0.5, 4.5, 9.5, 49.5].map { $0 * 1_048_576 })
        #expect(promises[3].limits.map(\.at) == [8, 10, 50, 8, 10, 50, 8].map { $0 << 20 })
        #expect(promises[3].limits.map(\.most) == [5, 5, 5, 6.25, 5, 5, nil])
        #expect(promises[3].limits.last?.least == 97)
        let worst = promises[3].limits.filter { $0.measure == .lossPercentWorst }
        #expect(worst.map(\.at) == [8, 10, 50].map { $0 << 20 })
        // Kills at exactly these amounts come right after a commit.
        #expect((saved + promises[3].limits).allSatisfy { $0.within == 524_288 })
        #expect(promises[8].limits.last?.most == 0.1)
        #expect(promises[10].limits[0].least == 262_144)
    }

    @Test("the documents' own tables are those of the documents, each row with a run or a reason")
    func documentedTables() throws {
        let tables = try Bounds.standard().documented
        let saved = tables.amounts.filter { $0.saved != nil }
        #expect(saved.map(\.at) == [1, 5, 10, 50].map { $0 << 20 })
        #expect(saved.map(\.saved) == [524_288, 4_718_592, 9_961_472, 51_904_512])
        #expect(saved.map(\.improvement) == [51, 90, 95, 99])
        #expect(tables.amounts.filter { $0.loss == 3...5 }.map(\.at) == [8, 10].map { $0 << 20 })
        #expect(
            tables.endings.map(\.way) == [
                "completion", "cancel", "switch", "network gone", "asked to end", "forced quit",
                "crash", "out of memory", "reboot",
            ])
        #expect(tables.endings.allSatisfy { !$0.runs.isEmpty || $0.note.contains("not measured") })
        #expect(tables.retrieval?.percent == 100)
    }

    @Test(
        "what the documents' tables cannot mean is refused",
        arguments: [
            ("amounts: [{at: 1MB}]", "needs at, within, after and before"),
            (
                "amounts: [{at: 1MB, within: 1MB, loss: 5, after: fast, before: fast}]",
                "'5' is no range"
            ),
            (
                "amounts: [{at: 1MB, within: 1MB, after: fast, before: slow}]",
                "'slow', which is no run"
            ),
            ("amounts: [{size: 1MB}]", "has no key 'size'"),
            ("amounts: []", ""),
        ])
    func documentedRefusals(amounts: String, word: String) throws {
        let text =
            Self.text(limit: "{measure: commits, most: 1}") + "\ndocumented:\n  \(amounts)\n"
            + "  endings: [{way: crash, note: not measured}]\n  retrieval: {percent: 100}\n"
        guard !word.isEmpty else {
            #expect(try Bounds.read(text).documented.endings.map(\.way) == ["crash"])
            return
        }
        #expect {
            try Bounds.read(text)
        } throws: {
            ($0 as? RigError)?.message.contains(word) == true
        }
    }

    /// The same figures are in `docs/tolerances.md`.
    @Test("limits that forgive more than the documents are those of the table of tolerances")
    func figuresThatForgive() throws {
        let limits = try Bounds.standard().promises.flatMap(\.limits)
        let ratio = try #require(limits.first { $0.measure == .throughputRatio })
        #expect(ratio.least == 0.9)
        #expect(ratio.least == Tolerances.leastThroughputRatio)
        let growth = try #require(limits.first { $0.measure == .peakMemoryGrowth })
        #expect(growth.most == 8_388_608)
        #expect(growth.most == Double(Tolerances.memoryGrowthBytes))
    }

    private static func text(limit: String, judgedBy: String = "fast", id: String = "B2") -> String
    {
        """
        promises:
          - id: B1
            promise: Something is kept.
            documented: all of it
            judged_by: [fast]
            limits: [{measure: commits, least: 1}]
          - id: \(id)
            promise: Something else is kept.
            documented: most of it
            judged_by: [\(judgedBy)]
            limits: [\(limit)]
        runs:
          fast: --iterations 1
        """
    }

    @Test(
        "what cannot be meant is refused, and said",
        arguments: [
            (text(limit: "{measure: comits, most: 1}"), "no measure 'comits'"),
            (text(limit: "{measure: commits, mots: 1}"), "has no key 'mots'"),
            (text(limit: "{measure: commits}"), "needs least or most"),
            (text(limit: "{measure: commits, most: many}"), "'many' is neither"),
            (text(limit: "{measure: commits, most: 1, policy: most}"), "'most' is no policy"),
            (
                text(limit: "{measure: loss_percent_worst, most: 5}"),
                "needs at, the amount that it is a share of"
            ),
            (text(limit: ""), "B2 has no limits"),
            (
                text(limit: "{measure: commits, most: 1}", judgedBy: "slow"),
                "'slow', which is no run"
            ),
            (text(limit: "{measure: commits, most: 1}", id: "B1"), "B1 is there twice"),
            (text(limit: "{measure: commits, most: 1}") + "\n  idle: --iterations 2", "'idle'"),
            ("promises: [", "line"),
        ])
    func refusals(text: String, word: String) {
        #expect {
            try Bounds.read(text)
        } throws: {
            let error = $0 as? RigError
            return error?.status == .data && error?.message.contains(word) == true
                && error?.message.hasSuffix("mend the file") == true
        }
    }

    @Test("sizes and numbers are read, and the options of runs are words")
    func values() throws {
        let read = try Bounds.read(
            Self.text(limit: "{measure: recovered, at: 1MB, least: 512KB, most: 0.5}"))
        let limit = try #require(read.promises.last?.limits.first)
        #expect(limit.at == 1 << 20 && limit.least == 524_288 && limit.most == 0.5)
        #expect(read.runs == [.init(name: "fast", options: ["--iterations", "1"])])
    }
}
