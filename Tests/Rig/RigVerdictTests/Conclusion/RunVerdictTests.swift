import RigModel
import RigVerdict
import Testing

@Suite struct RunVerdictTests {
    private func run(
        _ rows: [IterationRow], expected: Int? = nil, gates: [String] = ["violations == 0"]
    ) throws -> RunSummary { try makeSummary(rows, expected: expected, gates: gates) }

    private func early(_ count: Int, from iteration: Int) -> [IterationRow] {
        (0..<count).map {
            makeRow(
                iteration: iteration + $0, verdict: .inconclusive,
                reason: $0 == 0 ? "another reason" : "nothing had been received yet")
        }
    }

    @Test func aRunWithoutFaultSaysWhatItProves() throws {
        let summary = try run(makeRows(100))
        #expect(summary.status == .success)
        #expect(
            summary.sentences == [
                "0 violations in 100 iterations: the true rate is below 2.95 % (95 % confidence)"
            ])
    }

    @Test func severalPoliciesAreProvenOneByOne() throws {
        let summary = try run(makeRows(1, "1MB") + makeRows(100, "256KB"))
        #expect(
            summary.sentences == [
                "1MB: 0 violations in 1 iteration: the true rate is below 95.00 % (95 % confidence)",
                "256KB: 0 violations in 100 iterations: the true rate is below 2.95 %"
                    + " (95 % confidence)",
            ])
    }

    @Test func whatWasNotJudgedIsSaidBesideWhatThatProves() throws {
        let rows = makeRows(8) {
            $0.worker = "curl"
            $0.lostBytes = nil
            $0.receivedBytes = nil
            $0.recoveredBytes = nil
            $0.reason = "not judged: bound (received is not known: it is encrypted)"
            $0.notJudged = [.bound]
        }
        let summary = try run(rows + Array(makeRows(10)[8...]))
        #expect(summary.status == .inconclusive)
        #expect(
            summary.sentences == [
                "gate undecided: violations == 0: is 0, limit 0, n 2, not known of 8 more: 8 rows"
                    + " could not be judged for it; not_judged and the reason of each say why",
                "0 violations in 10 iterations (8 of them not judged in full): the true rate is"
                    + " below 77.64 % (95 % confidence)",
                "not judged in 8 of 10 iterations: bound; most often: bound (received is not known:"
                    + " it is encrypted)",
            ])
        // A gate on a value that no row knows is a usage error.
        let refusal = try #require(throws: RigError.self) {
            try run(rows, gates: ["lost_bytes.max <= 4096"])
        }
        #expect(refusal.status == .usage)
    }

    @Test func aFailedGateIsNamedWithItsFigures() throws {
        let rows = makeRows(99) + [makeRow(iteration: 100, verdict: .fail)]
        let summary = try run(rows)
        #expect(summary.status == .gateFailed)
        #expect(
            summary.sentences == [
                "gate failed: violations == 0: is 1, limit 0, n 100",
                "1 violation in 100 iterations: the true rate is below 4.66 % (95 % confidence)",
            ])
    }

    @Test func missingRowsAreIncomplete() throws {
        let summary = try run(makeRows(88), expected: 100)
        #expect(summary.status == .incomplete)
        #expect(summary.sentences.first?.hasPrefix("12 of 100 rows are missing") ?? false)
    }

    @Test func aRowThatIsThereTwiceReplacesNoMissingOne() throws {
        let summary = try run(makeRows(9) + makeRows(1), expected: 10)
        #expect(summary.status == .incomplete)
    }

    private func ended(
        _ rows: [IterationRow], _ ending: RigModel.ExitStatus, _ reason: String? = nil
    ) throws -> RunSummary {
        try RunSummary(
            runID: "run", command: "rig", seed: 1, rows: rows, expectedRows: 100,
            policies: ["512KB"], ending: ending, endingReason: reason)
    }

    @Test func anInterruptedRunSaysSoAndGivesNoAdvice() throws {
        let summary = try ended(makeRows(42), .interrupted)
        #expect(summary.status == .interrupted)
        #expect(
            summary.sentences == [
                "interrupted: 42 of 100 rows are there",
                "0 violations in 42 iterations: the true rate is below 6.88 % (95 % confidence)",
            ])
    }

    @Test(arguments: [RigModel.ExitStatus.unavailable, .failure])
    func aRunThatFailedEndsAsItFailed(ending: RigModel.ExitStatus) throws {
        let rows = makeRows(9) + [makeRow(iteration: 10, verdict: .fail)]
        let summary = try ended(rows, ending, "the disk is full;\nmake room")
        #expect(summary.status == ending)
        #expect(
            summary.sentences.first
                == "ended early: the disk is full; / make room (10 of 100 rows are there)")
        #expect(summary.sentences.contains { $0.hasPrefix("gate failed: violations == 0") })
        #expect(!summary.sentences.contains { $0.contains("run it again") })
    }

    /// Rows before and after it are of two programs: neither has passed, and a failure is one.
    @Test(arguments: [Verdict.pass, .fail])
    func aProgramThatWasReplacedIsNoPass(verdict: Verdict) throws {
        let rows = makeRows(9) + [makeRow(iteration: 10, verdict: verdict)]
        let summary = try RunSummary(
            runID: "run", command: "rig", seed: 1, rows: rows, expectedRows: 10,
            replaced: ["downloader", "rig"])
        let sentence =
            "downloader, rig changed during the run: its rows are of two versions; run it again"
        #expect(summary.status == (verdict == .fail ? .gateFailed : .inconclusive))
        #expect(summary.sentences.contains(sentence) && summary.caveats.contains(sentence))
    }

    @Test func missingRowsCountMoreThanAFailedGate() throws {
        let summary = try run([makeRow(verdict: .fail)], expected: 2)
        #expect(summary.status == .incomplete)
        #expect(summary.sentences.contains { $0.hasPrefix("gate failed") })
    }

    @Test func noRowsAtAllProveNothing() throws {
        let summary = try RunSummary(
            runID: "run", command: "rig", seed: 1, rows: [], expectedRows: 10, policies: ["512KB"])
        #expect(summary.status == .incomplete)
        #expect(summary.gates.map(\.verdict) == [.unknown, .unknown, .unknown])
        #expect(summary.sentences.last == "no conclusive iteration, so nothing is proven")
    }

    @Test func moreRowsThanPlannedContradictThePlan() throws {
        #expect(try run(makeRows(3), expected: 2).status == .data)
    }

    /// Half of the rows could be inconclusive, and the run passed.
    @Test func aTenthInconclusiveIsEnoughAndMoreIsNot() throws {
        #expect(try judged(makeRows(9) + early(1, from: 10)).status == .success)
        let summary = try judged(makeRows(8) + early(2, from: 9))
        #expect(summary.status == .inconclusive)
        #expect(
            summary.sentences == [
                "gate undecided: inconclusive_percent <= 10 [512KB]: is 20.000 %, limit 10.000 %,"
                    + " n 10: 2 of 10 kills prove nothing, most often because: another reason",
                "0 violations in 8 iterations (2 more inconclusive): the true rate is below 31.23 %"
                    + " (95 % confidence)",
            ])
        #expect(try judged(makeRows(2) + early(1, from: 3)).status == .inconclusive)
    }

    /// A user's gate on inconclusive rows replaces the default, which may be stricter.
    @Test func howManyMayProveNothingIsForTheUserToSay() throws {
        let rows = makeRows(4) + early(6, from: 5)
        #expect(try judged(rows, ["inconclusive_percent <= 60"]).status == .success)
        #expect(try judged(rows, ["inconclusive_percent <= 50"]).status == .inconclusive)
        #expect(try judged(rows, ["512KB:inconclusive_percent <= 60"]).status == .inconclusive)
    }

    /// A stored run without a gate in its manifest used to pass with 4 violations.
    @Test func defaultsApplyWhereverNothingSpeaksAboutThem() throws {
        let rows =
            makeRows(96)
            + (97...100).map { makeRow(iteration: $0, verdict: .fail) }
        #expect(try judged(rows).status == .gateFailed)
        #expect(try judged(rows, ["loss_percent <= 50"]).status == .gateFailed)
        #expect(try judged(rows, ["violations <= 4"]).status == .success)
        #expect(
            Gate.withDefaults([try Gate("violation_rate <= 50%")]).map(\.text)
                == ["corrupt_bytes == 0", "inconclusive_percent <= 10", "violation_rate <= 50%"])
        #expect(Gate.withDefaults(Gate.defaults) == Gate.defaults)
    }

    /// Judged like a stored run with these gates in its manifest.
    private func judged(_ rows: [IterationRow], _ gates: [String] = []) throws -> RunSummary {
        try RunSummary(
            runID: "run", command: "rig", seed: 1, rows: rows, expectedRows: rows.count,
            gates: Gate.withDefaults(try gates.map { try Gate($0) }))
    }

    @Test func aFailedGateCountsMoreThanInconclusiveRows() throws {
        let rows = early(6, from: 1) + [makeRow(iteration: 7, verdict: .fail)]
        #expect(try run(rows).status == .gateFailed)
    }

    @Test func aNullControlThatFailsMeansThatTheRigIsBroken() throws {
        let control = makeRow("disabled", verdict: .fail, checkers: [.nullControl])
        let summary = try run(makeRows(5) + [control])
        #expect(summary.gates.map(\.verdict) == [.holds])
        #expect(summary.status == .failure)
        #expect(summary.sentences.first?.hasPrefix("the null control failed in 1 row") ?? false)
    }

    /// The result used to be 99 "within noise", or 0, at random.
    @Test(arguments: ["loss_percent <= 4.9", "loss_percent <= 5.1", "loss_percent >= 4.9"])
    func anIntervalThatStraddlesTheLimitIsInconclusive(gate: String) throws {
        let rows = (1...20).map { makeRow(iteration: $0, lost: Int64($0 % 2 * 100)) }
        let summary = try run(rows, gates: [gate])
        #expect(summary.status == .inconclusive)
        let sentence = try #require(summary.sentences.first)
        #expect(sentence.hasPrefix("gate undecided: \(gate) [512KB]: is 5.000 %, limit "))
        #expect(sentence.contains("the interval straddles the limit; about"))
        #expect(sentence.hasSuffix("kills decide it, if the figure stays; or move the limit"))
    }

    @Test func judgedEvidenceMakesARunOfWhichTheVerdictFollows() throws {
        let scenes = [Scene(), Scene.disabled].flatMap { scene in
            (1...3).map { index in scene.with { $0.iteration = index } }
        }
        let rows = scenes.map { $0.judged.row("w") }
        let summary = try run(rows, gates: ["violations == 0", "corrupt_bytes == 0"])
        #expect(summary.status == .success)
        #expect(summary.policies.map(\.lossPercent) == [100 * 378_560 / 3_000_000.0, 100])
    }

    /// With `--at never` there are no kills, but the summary used to bound the rate of violations.
    @Test func withoutKillsNoRateFollows() throws {
        func summary(_ verdict: Verdict, from first: Int = 5) throws -> RunSummary {
            let rows = (1...5).map { index in
                makeRow(iteration: index, verdict: index < first ? .pass : verdict) {
                    $0.trigger = Trigger.never.kind.rawValue
                    $0.planned = Trigger.never.planned
                }
            }
            return try RunSummary(
                runID: "run", command: "rig", seed: 1, rows: rows, expectedRows: 5)
        }
        let clean = try summary(.pass)
        #expect(clean.status == .success)
        #expect(clean.policies.map(\.violationRateUCB95) == [nil])
        #expect(
            clean.sentences == [
                "0 violations in 5 iterations; no worker was killed: this says nothing about kills"
            ])
        // An error in an unharmed run is still a violation.
        let broken = try summary(.fail)
        #expect(broken.status == .gateFailed)
        #expect(broken.policies.map(\.violations) == [1])
        #expect(broken.policies.map(\.violationRateUCB95) == [nil])
        #expect(broken.sentences.last?.contains("the true rate") == false)
        let obscure = try summary(.inconclusive, from: 3)
        #expect(obscure.status == .inconclusive)
        #expect(obscure.sentences.first?.contains("3 of 5 iterations prove nothing") == true)
    }
}
