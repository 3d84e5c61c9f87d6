import Testing

@testable import RigModel
@testable import RigProfiles

@Suite("The documents' promises as they are written down")
struct BoundsTests {
    @Test("the file that is compiled in has B1 to B11, each judged by a run that there is")
    func standard() throws {
        let catalogue = try Bounds.standard()
        #expect(catalogue.promises.map(\.id) == (1...11).map { "B\($0)" })
        #expect(catalogue.promises.allSatisfy { !$0.judgedBy.isEmpty && !$0.documented.isEmpty })
        let named = Set(catalogue.promises.flatMap(\.judgedBy)).subtracting([PromiseCatalogue.rig])
        let tables = try #require(catalogue.documented)
        #expect(Set(catalogue.runs.map(\.name)) == named.union(tables.runs))
        #expect(Set(catalogue.runs).count == catalogue.runs.count, "each run is made once")
        let measures = try Bounds.standardMeasures()
        #expect(
            Set(catalogue.promises.flatMap(\.limits).map(\.measure)) == Set(measures.values),
            "every measure is a promise's")
        #expect(
            Set(measures.values.map(\.figure)) == Set(PromiseFigure.allCases),
            "every figure is measured")
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
        let worst = promises[3].limits.filter { $0.measure.figure == .worstLossPercent }
        #expect(worst.map(\.at) == [8, 10, 50].map { $0 << 20 })
        // Kills at exactly these amounts come right after a commit.
        #expect((saved + promises[3].limits).allSatisfy { $0.within == 524_288 })
        #expect(promises[8].limits.last?.most == 0.1)
        #expect(promises[10].limits[0].least == 262_144)
    }

    @Test("the documents' own tables are those of the documents, each row with a run or a reason")
    func documentedTables() throws {
        let tables = try #require(try Bounds.standard().documented)
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
        "what the documents' tables cannot mean is refused, where it stands",
        arguments: [
            ("amounts: [{at: 1MB}]", "15:13: an amount needs at and within"),
            (
                "amounts: [{at: 1MB, within: 0B, after: fast, before: fast}]",
                "15:13: an amount needs at and within"
            ),
            (
                "amounts: [{at: 1MB, within: 1MB, loss: 5, after: fast, before: fast}]",
                "15:42: '5' cannot be meant"
            ),
            (
                "amounts: [{at: 1MB, within: 1MB, after: fast, before: slow}]",
                "15:57: 'slow' is no run"
            ),
            ("amounts: [{size: 1MB}]", "15:14: 'amounts' has no key 'size'"),
            ("amounts: []", ""),
        ])
    func documentedRefusals(amounts: String, word: String) throws {
        let text =
            Self.text(limit: "{measure: commits, most: 1}") + "\ndocumented:\n  \(amounts)\n"
            + "  endings: [{way: crash, note: not measured}]\n"
        guard !word.isEmpty else {
            #expect(try Bounds.read(text).documented?.endings.map(\.way) == ["crash"])
            return
        }
        #expect {
            try Bounds.read(text)
        } throws: {
            ($0 as? RigError)?.message.hasPrefix("bounds.yml:\(word)") == true
        }
    }

    /// The same figures are in `docs/tolerances.md`.
    @Test("limits that forgive more than the documents are those of the table of tolerances")
    func figuresThatForgive() throws {
        let limits = try Bounds.standard().promises.flatMap(\.limits)
        let ratio = try #require(limits.first { $0.measure.figure == .throughputRatio })
        #expect(ratio.least == 0.9)
        #expect(ratio.least == Tolerances.leastThroughputRatio)
        let growth = try #require(limits.first { $0.measure.figure == .peakMemoryGrowth })
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
        "what cannot be meant is refused, where it stands",
        arguments: [
            (text(limit: "{measure: comits, most: 1}"), "11:24: there is no measure 'comits'"),
            (text(limit: "{measure: commits, mots: 1}"), "11:33: 'limits' has no key 'mots'"),
            (text(limit: "{measure: commits}"), "11:24: a limit on commits needs least or most"),
            (text(limit: "{measure: commits, least: 1, most: }"), "11:49: 'most' has no value"),
            (text(limit: "{measure: commits, most: many}"), "11:39: 'many' is neither"),
            (
                text(limit: "{measure: commits, most: 1, policy: most}"),
                "11:50: 'most' is no policy"
            ),
            (
                text(limit: "{measure: loss_percent_worst, most: 5}"),
                "11:24: a limit on loss_percent_worst needs at, the amount that it is a share of"
            ),
            (text(limit: "{most: 5}"), "11:14: 'measure' is missing"),
            (text(limit: ""), "7:5: B2 has no limits"),
            (
                text(limit: "{measure: commits, most: 1}", judgedBy: "slow"),
                "10:17: 'slow' is no run"
            ),
            (text(limit: "{measure: commits, most: 1}", id: "B1"), "7:5: B1 is there twice"),
            (
                text(limit: "{measure: commits, most: 1}") + "\n  idle: --iterations 2",
                "14:3: no promise is judged by the run 'idle'"
            ),
            ("promises: 3", "1:11: '3' cannot be meant"),
            ("promises: []", "1:1: 'runs' is missing"),
            ("promises: [", "2:1: "), ("", "1:1: it is empty"),
        ])
    func refusals(text: String, word: String) {
        #expect {
            try Bounds.read(text)
        } throws: {
            let error = $0 as? RigError
            return error?.status == .data && error?.message.hasPrefix("bounds.yml:\(word)") == true
                && error?.message.contains("; ") == true
        }
    }

    @Test(
        "a file can say itself what is measured, and over which rows",
        arguments: [
            ("{figure: commits, unit: count, rows: [spared], words: saves}", nil),
            ("{figure: commits, unit: count, rows: [spread], words: saves}", "15:47: 'spread'"),
            ("{figure: comits, unit: count, words: saves}", "15:18: 'comits' cannot be meant"),
            ("{figure: findings, unit: count, checkers: [bond], words: x}", "15:52: 'bond'"),
            ("{figure: commits, words: saves}", "15:9: 'unit' is missing"),
        ] as [(String, String?)])
    func ownMeasures(measure: String, mistake: String?) throws {
        let text =
            Self.text(limit: "{measure: mine, most: 1}").replacing(
                "measure: commits", with: "measure: mine") + "\nmeasures:\n  mine: \(measure)\n"
        guard let mistake else {
            let found = try #require(try Bounds.read(text).promises.last?.limits.first?.measure)
            #expect(found.name == "mine" && found.rows == [.spared] && found.words == "saves")
            return
        }
        #expect {
            try Bounds.read(text, name: "my.yml")
        } throws: {
            ($0 as? RigError)?.message.hasPrefix("my.yml:\(mistake)") == true
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
