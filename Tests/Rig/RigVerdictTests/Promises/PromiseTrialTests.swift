import RigVerdict
import Testing

@testable import RigModel

/// `rig verify-claims` once reported that promises hold, with exit code 0, though a part had not
/// run or failed: another part had judged the same promise.
@Suite("The documents on trial, part by part")
struct PromiseTrialTests {
    private static let promise = Promise(
        id: "B1", promise: "No more.", documented: "the threshold", judgedBy: ["fast", "slow"],
        limits: [.init(measure: .lostBeyondBound, most: 0)])

    private static func part(
        _ name: String = "slow", exitCode: Int32 = 0, rows: [IterationRow] = makeRows(3),
        expected: Int? = 3
    ) -> RunPart {
        makePart(name, rows, exitCode: exitCode, expected: expected)
    }

    private func report(
        _ parts: [RunPart], of promises: [Promise] = [promise]
    ) -> DocumentedReport {
        var trial = PromiseTrial(of: promises)
        for part in parts { trial.add(part) }
        return trial.report(runID: "r", seed: 1)
    }

    @Test("what all of its runs kept holds")
    func whole() throws {
        let report = report([Self.part("fast"), Self.part("slow")])
        #expect(report.status == .success && report.failures.isEmpty)
        let result = try #require(report.results.first)
        #expect(result.word == "holds" && result.readings.first??.n == 6)
    }

    /// A part that cannot be relied on, and the exit status of the whole.
    struct Case: CustomTestStringConvertible {
        let name: String
        let part: RunPart
        let status: RigModel.ExitStatus
        var testDescription: String { name }

        init(_ name: String, _ part: RunPart, _ status: RigModel.ExitStatus) {
            (self.name, self.part, self.status) = (name, part, status)
        }
    }

    static let cases = [
        Case("refused", part(exitCode: 64, rows: [], expected: nil), .inconclusive),
        Case("not permitted", part(exitCode: 77, rows: [], expected: nil), .inconclusive),
        Case("no worker", part(exitCode: 69, rows: [], expected: nil), .unavailable),
        Case("failed after all rows", part(exitCode: 70), .failure),
        Case("contradicts itself", part(exitCode: 65), .data),
        Case("interrupted", part(exitCode: 130, rows: makeRows(2)), .inconclusive),
        Case("cut short", part(exitCode: 97, rows: makeRows(2)), .incomplete),
        Case("a row is missing", part(rows: makeRows(2)), .inconclusive),
        Case("ended by a signal", part(exitCode: 137), .inconclusive),
        Case("most kills prove nothing", part(exitCode: 98), .inconclusive),
    ]

    @Test(
        "one that failed leaves a promise in part, and the whole without a pass", arguments: cases)
    func failed(item: Case) throws {
        let report = report([Self.part("fast"), item.part])
        #expect(report.status == item.status)
        let result = try #require(report.results.first)
        #expect(result.word == "holds in part" && result.missing == ["slow"])
        #expect(result.measured.hasSuffix("not known from slow"), "\(result.measured)")
        let line = try #require(report.failures.first?.line)
        #expect(line.hasPrefix("slow: exit \(item.part.exitCode)"), "\(line)")
        #expect(line.hasSuffix("what it said"), "\(line)")
    }

    @Test("one that never ran, and one without a word on the promise, are missing")
    func silent() throws {
        #expect(report([Self.part("fast")]).status == .inconclusive)
        let mute = Self.part(
            rows: (1...3).map {
                makeRow(iteration: $0, verdict: .inconclusive, reason: "too early")
            })
        let report = report([Self.part("fast"), mute])
        #expect(report.status == .inconclusive)
        #expect(report.results.first?.missing == ["slow"])
    }

    /// With recovery-drops planted, chains of kills failed with durability findings, and B6, which
    /// looked only at the loss, held with exit code 0.
    @Test(
        "what a part found and none of its promises counts is no pass",
        arguments: [0, 99] as [Int32])
    func uncounted(exitCode: Int32) throws {
        let gone = makeRow(iteration: 3, verdict: .fail, checkers: [.durability])
        let found = Self.part(exitCode: exitCode, rows: makeRows(2) + [gone])
        let report = report([Self.part("fast"), found])
        #expect(report.status == .gateFailed)
        #expect(report.results.first?.word == "holds", "its own figure is kept")
        let line = try #require(report.failures.first?.line)
        #expect(line.hasPrefix("slow: 1 of 3 rows failed"), "\(line)")
        #expect(line.contains("first: durability: too much"), "\(line)")
    }

    private static let again = Promise(
        id: "B6", promise: "No more again.", documented: "a threshold", judgedBy: ["chains"],
        limits: [
            .init(measure: .lostBeyondBoundAgain, most: 0),
            .init(measure: .unsoundStatesAgain, most: 0),
        ])
    private static let laterKills = makeRows(3) { $0.kill = 2 }

    /// Rows of chains, and what they say of B6.
    struct Chains: CustomTestStringConvertible {
        let name: String
        var row: IterationRow?
        let word: String
        var testDescription: String { name }
    }

    static let chains: [Chains] = [
        Chains(name: "later kills only", word: "undecided"),
        Chains(
            name: "one that came after its recovery",
            row: makeRecoveryRow {
                $0.phase = .receiving
                $0.realised = nil
            }, word: "undecided"),
        Chains(
            name: "one that proves nothing",
            row: makeRecoveryRow {
                $0.verdict = .inconclusive
                $0.reason = "too early"
            }, word: "undecided"),
        Chains(name: "one in a recovery", row: makeRecoveryRow(), word: "holds"),
        Chains(
            name: "one of a worker without a page", row: makeRecoveryRow { $0.phase = nil },
            word: "holds"),
        Chains(name: "a loss", row: makeRow(lost: 900_000) { $0.kill = 2 }, word: "BROKEN"),
    ]

    /// On a busy machine 0 of 17 later kills came in the recovery, and B6 held, with exit code 0.
    @Test("kills that never reached a recovery say nothing about one", arguments: chains)
    func recoveries(item: Chains) throws {
        let rows = Self.laterKills + [item.row].compactMap(\.self)
        let chains = makePart("chains", rows, expected: rows.count)
        let report = report([chains], of: [Self.again])
        #expect(report.results.first?.word == item.word)
        #expect((report.status == .success) == (item.word == "holds"))
        if item.word == "undecided" {
            #expect(report.status == .inconclusive)
            let line = try #require(report.failures.first?.line)
            #expect(line.hasPrefix("chains: none of its kills came before the first new byte"))
        }
    }

    @Test("what breaks a promise is not said twice")
    func counted() {
        let lossy = Self.part(
            exitCode: 99,
            rows: makeRows(2) + [makeRow(iteration: 3, verdict: .fail, lost: 900_000)])
        let report = report([Self.part("fast"), lossy])
        #expect(report.status == .gateFailed && report.failures.isEmpty)
    }

    @Test("a failure that concerns no promise is no pass either")
    func unrelated() {
        let parts = [Self.part("fast"), Self.part("slow"), Self.part("other", exitCode: 70)]
        #expect(report(parts).status == .failure)
    }

    @Test("a promise that is broken is broken, whatever else failed")
    func broken() throws {
        let lossy = Self.part(
            "fast", exitCode: 99,
            rows: makeRows(2) + [makeRow(iteration: 3, verdict: .fail, lost: 900_000)])
        let report = report([lossy, Self.part(exitCode: 64, rows: [], expected: nil)])
        #expect(report.status == .gateFailed)
        #expect(report.results.first?.word == "BROKEN")
    }

    @Test("what the rig cannot measure by itself is missing, too")
    func measured() throws {
        let own = Promise(
            id: "B11", promise: "A least one.", documented: "256 KB",
            judgedBy: [PromiseCatalogue.rig], limits: [.init(measure: .leastThreshold, least: 1)])
        var trial = PromiseTrial(of: [own])
        trial.add(
            [:],
            failures: [PartFailure(part: "least_threshold", reason: "no", status: .inconclusive)])
        let unknown = trial.report(runID: "r", seed: 1)
        #expect(unknown.status == .inconclusive)
        #expect(unknown.failures.map(\.line) == ["least_threshold: no"])
        trial.add([.leastThreshold: (262_144, 1)], failures: [])
        #expect(trial.report(runID: "r", seed: 1).results.first?.word == "holds")
    }

    private static let speed = Promise(
        id: "B9", promise: "No slower.", documented: "100 ms", judgedBy: [PromiseCatalogue.rig],
        limits: [
            .init(measure: .throughputRatio, least: 0.9),
            .init(measure: .hitFirstByteSeconds, most: 0.1),
        ])
    private static let memory = Promise(
        id: "B10", promise: "No more memory.", documented: "no growth",
        judgedBy: [PromiseCatalogue.rig],
        limits: [.init(measure: .peakMemoryGrowth, most: 8_388_608)])

    /// B9 and B10 are judged by the rig's measurements, each figure by itself.
    @Test(
        "speed and memory are held to their figures",
        arguments: [
            (speed, [.throughputRatio: 0.9, .hitFirstByteSeconds: 0.1], "holds"),
            (speed, [.throughputRatio: 0.899, .hitFirstByteSeconds: 0.01], "BROKEN"),
            (speed, [.throughputRatio: 1.2, .hitFirstByteSeconds: 0.101], "BROKEN"),
            (speed, [.throughputRatio: 1.2], "holds in part"), (speed, [:], "not judged"),
            (memory, [.peakMemoryGrowth: 8_388_608], "holds"),
            (memory, [.peakMemoryGrowth: 8_388_609], "BROKEN"), (memory, [:], "not judged"),
        ] as [(Promise, [PromiseFigure: Double], String)])
    func figures(promise: Promise, measured: [PromiseFigure: Double], word: String) {
        var trial = PromiseTrial(of: [promise])
        trial.add(measured.mapValues { (value: $0, n: 3) }, failures: [])
        #expect(trial.report(runID: "r", seed: 1).results.first?.word == word)
    }
}
