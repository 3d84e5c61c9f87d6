import RigVerdict
import Testing

@testable import RigModel

@Suite("The documents' promises beside what was measured")
struct PromiseJudgeTests {
    private func promise(_ limits: Promise.Limit...) -> Promise {
        Promise(
            id: "B0", promise: "Something.", documented: "so much", judgedBy: ["a"], limits: limits)
    }

    private func value(
        _ limit: Promise.Limit, _ rows: [IterationRow], videoLength: Int64 = 10 << 20
    ) -> Double? {
        PromiseJudge.readings(rows, videoLength: videoLength, of: [promise(limit)]).first?.value
    }

    private static func spared(commits: Int, acknowledged: Int64 = 10 << 20) -> IterationRow {
        makeRow { row in
            row.trigger = "time"
            row.planned = Trigger.never.planned
            row.commits = commits
            row.acknowledgedBytes = acknowledged
        }
    }

    /// A measure, rows, and the expected value; nil if the rows cannot say.
    struct Case: CustomTestStringConvertible {
        let name: String
        let limit: Promise.Limit
        let rows: [IterationRow]
        let value: Double?
        var testDescription: String { name }

        init(_ name: String, _ limit: Promise.Limit, _ rows: [IterationRow], _ value: Double?) {
            (self.name, self.limit, self.rows, self.value) = (name, limit, rows, value)
        }
    }

    private static func failed(_ checker: Checker, workload: String = "download") -> IterationRow {
        makeRow(verdict: .fail, checkers: [checker]) { $0.workload = workload }
    }

    static let beyond = Promise.Limit(measure: .lostBeyondBound, most: 0)
    static let cases = [
        Case("within the bound", beyond, makeRows(3), 0),
        Case(
            "one byte beyond it", beyond, makeRows(3) + [makeRow(lost: 524_289, received: 900_000)],
            1),
        Case("disabled promises no bound", beyond, makeRows(3, "disabled"), nil),
        Case(
            "inconclusive rows say nothing", beyond,
            [makeRow(verdict: .inconclusive, reason: "too early", lost: 600_000)], nil),
        Case(
            "a later kill is another promise's", beyond, [makeRow(lost: 600_000) { $0.kill = 2 }],
            nil),
        Case(
            "the later kill", .init(measure: .lostBeyondBoundAgain, most: 0),
            [makeRow(lost: 600_000), makeRow(lost: 524_290) { $0.kill = 2 }], 2),
        Case(
            "kills in saves only", .init(measure: .lostBeyondBoundInSaves, most: 0),
            [makeRow(lost: 600_000), makeRow(lost: 524_291) { $0.phase = .committing }], 3),
        Case(
            "what survived under disabled",
            .init(measure: .recoveredWhenDisabled, policy: "disabled", most: 0),
            makeRows(2) + [makeRow("disabled", lost: 990)], 10),
        Case(
            "recovered at exactly the planned byte, the least of them",
            .init(measure: .recovered, policy: "512KB", at: 1_000, least: 500),
            [
                makeRow(lost: 10), makeRow(lost: 300), makeRow(lost: 600, received: 1_001),
                makeRow("1MB", lost: 700),
            ], 700),
        Case(
            "no worker was killed there",
            .init(measure: .recovered, policy: "512KB", at: 2_000, least: 500), makeRows(4), nil),
        Case(
            "loss over all rows", .init(measure: .lossPercent, policy: "512KB", most: 5),
            [makeRow(lost: 100), makeRow(lost: 0, received: 3_000)], 2.5),
        Case(
            "gone although acknowledged", .init(measure: .unsoundStates, most: 0),
            makeRows(5) + [failed(.durability), failed(.bound)], 1),
        Case(
            "gone after a later kill", .init(measure: .unsoundStatesAgain, most: 0),
            [
                failed(.durability), makeRow { $0.kill = 2 },
                makeRow(verdict: .fail, checkers: [.durability]) { $0.kill = 2 },
            ], 1),
        Case(
            "no worker was killed again", .init(measure: .unsoundStatesAgain, most: 0), makeRows(5),
            nil),
        Case(
            "found in the wrong ranges", .init(measure: .notFoundAgain, most: 0),
            makeRows(5) + [failed(.ranges), failed(.resumption)], 2),
        Case(
            "a download plays nothing offline", .init(measure: .notPlayedOffline, most: 0),
            makeRows(5), nil),
        Case(
            "not played offline", .init(measure: .notPlayedOffline, most: 0),
            [failed(.offline, workload: "playback")], 1),
        Case(
            "commits do not fit", .init(measure: .wrongCommitCounts, most: 0),
            makeRows(2) + [failed(.commits)], 1),
        Case(
            "commits of a whole video, farthest from the figure",
            .init(measure: .commits, policy: "512KB", least: 20, most: 21),
            [spared(commits: 20), spared(commits: 23), spared(commits: 21)], 23),
        Case(
            "too few commits", .init(measure: .commits, policy: "512KB", least: 20, most: 21),
            [spared(commits: 20), spared(commits: 10)], 10),
        Case(
            "half a video says nothing of commits",
            .init(measure: .commits, policy: "512KB", least: 20, most: 21),
            [spared(commits: 10, acknowledged: 5 << 20)] + makeRows(3), nil),
        Case("a spared worker loses nothing by a kill", beyond, [spared(commits: 20)], nil),
        Case(
            "what the rig measures is in no row", .init(measure: .throughputRatio, least: 0.9),
            makeRows(3), nil),
    ]

    @Test(arguments: cases)
    func measures(_ item: Case) { #expect(value(item.limit, item.rows) == item.value) }

    @Test("a figure about another video is not judged by this one")
    func videos() {
        let exact = Promise.Limit(measure: .lossPercent, video: 10 << 20, most: 5)
        #expect(value(exact, makeRows(2)) != nil)
        #expect(value(exact, makeRows(2), videoLength: 9 << 20) == nil)
    }

    /// A number of kills, of which some lost a whole threshold and the others nothing.
    private func verdict(
        _ limit: Promise.Limit, lossy: Int, of kills: Int, lost: Int64 = 500,
        received: Int64 = 10_000, planned: Int64 = 10_000
    ) -> PromiseResult.Verdict? {
        let rows = (0..<kills).map { index in
            makeRow(iteration: index + 1, lost: index < lossy ? lost : 0, received: received) {
                $0.planned = "\(planned)"
            }
        }
        let promise = promise(limit)
        return PromiseJudge.results(
            PromiseJudge.readings(rows, videoLength: 10 << 20, of: [promise]), of: [promise]
        ).first?.verdict
    }

    /// B4 used to be judged by a point estimate, over kills anywhere in a video so long that the
    /// threshold could hardly cost that much.
    @Test("a percentage decides only where its whole interval lies on one side, and at its bytes")
    func loss() {
        let limit = Promise.Limit(measure: .lossPercent, policy: "512KB", at: 10_000, most: 2.5)
        #expect(verdict(limit, lossy: 8, of: 64) == .holds)
        #expect(verdict(limit, lossy: 29, of: 64) == .undecided, "2.3 %, and 2.9 % as likely")
        #expect(verdict(limit, lossy: 36, of: 64) == .undecided, "2.8 %, and 2.2 % as likely")
        #expect(verdict(limit, lossy: 60, of: 64) == .broken)
        #expect(verdict(limit, lossy: 0, of: 58) == .undecided, "so few may all miss a commit")
        #expect(verdict(limit, lossy: 0, of: 64, planned: 9_999) == .notJudged)
        #expect(verdict(limit, lossy: 0, of: 64, received: 10_001) == .notJudged)
        let least = Promise.Limit(measure: .lossPercent, at: 10_000, least: 97)
        #expect(verdict(least, lossy: 64, of: 64, lost: 10_000) == .holds)
        #expect(verdict(least, lossy: 62, of: 64, lost: 10_000) == .undecided)
        #expect(verdict(least, lossy: 32, of: 64, lost: 10_000) == .broken)
    }

    /// B3 used to hold after five kills, each of which may have come between two commits.
    @Test("what every kill leaves holds from 59 kills on, and a single one breaks it")
    func leastKept() {
        let limit = Promise.Limit(measure: .recovered, policy: "512KB", at: 10_000, least: 9_500)
        #expect(PromiseJudge.fewestKills == 59)
        #expect(verdict(limit, lossy: 59, of: 59) == .holds)
        #expect(verdict(limit, lossy: 58, of: 58) == .undecided)
        #expect(verdict(limit, lossy: 1, of: 1_000, lost: 501) == .broken)
        #expect(verdict(limit, lossy: 1, of: 1, lost: 501) == .broken)
    }

    /// Kills over the last 500 bytes before 10,000, as a worker that saves every `step` bytes loses.
    private static func spread(_ count: Int = 100, step: Int64) -> [IterationRow] {
        (1...count).map { index in
            let received = 9_500 + Int64(index * 500 / count)
            return makeRow(iteration: index, lost: received % step, received: received) {
                $0.planned = index.isMultiple(of: 2) ? "\(received)" : "\(received - 1):flowing"
            }
        }
    }

    private static let kept = Promise.Limit(
        measure: .recovered, policy: "512KB", at: 10_000, within: 500, least: 9_500)
    private static let mean = Promise.Limit(
        measure: .lossPercent, policy: "512KB", at: 10_000, within: 500, most: 5)
    private static let worst = Promise.Limit(
        measure: .lossPercentWorst, policy: "512KB", at: 10_000, within: 500, most: 5)

    private func reading(_ limit: Promise.Limit, _ rows: [IterationRow]) -> PromiseReading? {
        PromiseJudge.readings(rows, videoLength: 10 << 20, of: [promise(limit)]).first
    }

    private func verdict(_ limit: Promise.Limit, _ rows: [IterationRow]) -> PromiseResult.Verdict? {
        reading(limit, rows).map(limit.verdict)
    }

    /// B3 and B4 were judged by kills at exactly an amount, a multiple of either threshold: a
    /// worker that saves every 1 MB has just saved there, too, and both held, with 0.3 % lost.
    @Test("what is kept and lost right before an amount is judged by the worst of all kills")
    func worstMoment() throws {
        let right = Self.spread(step: 500)
        let doubled = Self.spread(step: 1_000)
        #expect(doubled.last?.lostBytes == 0 && right.last?.lostBytes == 0)
        #expect(verdict(Self.kept, right) == .holds && reading(Self.kept, right)?.value == 9_505)
        #expect(verdict(Self.kept, doubled) == .broken)
        #expect(verdict(Self.mean, right) == .holds && verdict(Self.worst, right) == .holds)
        #expect(verdict(Self.mean, doubled) == .broken && verdict(Self.worst, doubled) == .broken)
        // Of few kills the worst may be missing; of any other run some kills come there by chance.
        for limit in [Self.kept, Self.mean, Self.worst] {
            #expect(verdict(limit, Self.spread(59, step: 500)) == .holds)
            #expect(verdict(limit, Self.spread(58, step: 500)) == nil)
        }
        #expect(verdict(Self.kept, Self.spread(3, step: 1_000)) == .broken)
    }

    /// The mean is far within both figures, and one kill beyond them.
    @Test("one kill that loses more than a threshold breaks both, whatever the mean is")
    func oneKill() throws {
        var rows = Self.spread(step: 500)
        rows[40].lostBytes = 501
        rows[40].recoveredBytes = rows[40].receivedBytes.map { $0 - 501 }
        #expect(verdict(Self.mean, rows) == .holds)
        #expect(verdict(Self.kept, rows) == .broken && reading(Self.kept, rows)?.value == 9_499)
        #expect(verdict(Self.worst, rows) == .broken)
        #expect(abs((reading(Self.worst, rows)?.value ?? 0) - 5.01) < 1e-9)
    }

    /// A kill while bytes flow lands after its byte, and possibly after the amount.
    @Test(
        "kills elsewhere say nothing about the last bytes before an amount",
        arguments: [
            ("9501", 9_501, true), ("10000", 10_000, true), ("10000:flowing", 10_500, true),
            ("9500", 9_501, false), ("10001", 10_001, false), ("9999:flowing", 10_501, false),
            ("9501", 9_500, false), ("0.5", 9_700, false), ("receiving", 9_700, false),
        ])
    func elsewhere(planned: String, received: Int64, isAbout: Bool) {
        let row = makeRow(lost: 600, received: received) { $0.planned = planned }
        #expect((reading(Self.kept, [row]) != nil) == isAbout)
        #expect((reading(Self.worst, [row]) != nil) == isAbout)
        let byClock = makeRow(lost: 600, received: received) {
            $0.planned = planned
            $0.trigger = TriggerKind.time.rawValue
        }
        #expect(reading(Self.kept, [byClock]) == nil)
        let unknown = makeRow(lost: nil, received: received) { $0.planned = planned }
        #expect(reading(Self.kept, [unknown]) == nil && reading(Self.worst, [unknown]) == nil)
    }

    @Test("the words say over which bytes the kills came")
    func momentText() {
        let result = PromiseResult(
            promise: promise(Self.worst),
            readings: [PromiseReading(promise: "B0", limit: 0, value: 4.5, n: 64)])
        #expect(
            result.measured == "4.50 % lost at worst with 512KB at 10000, over its last 500 (n 64)"
        )
    }

    @Test("an interval is said beside its figure, and what it leaves open")
    func intervalText() {
        let limit = Promise.Limit(measure: .lossPercent, policy: "512KB", at: 10 << 20, most: 5)
        func text(_ low: Double?, _ high: Double?) -> String {
            PromiseResult(
                promise: promise(limit),
                readings: [
                    PromiseReading(
                        promise: "B0", limit: 0, value: 6, n: 64,
                        interval: ConfidenceInterval(low: low, high: high))
                ]
            ).measured
        }
        let words = "6.00 % lost with 512KB at 10MB (n 64, 95 % interval"
        #expect(text(4, 8) == "\(words) 4.00 % to 8.00 %, undecided)")
        #expect(text(nil, nil) == "\(words) unbounded to unbounded, undecided)")
        #expect(text(5.5, 6.5) == "\(words) 5.50 % to 6.50 %, broken by 1.00 %)")
    }

    /// The percentage was taken over killed downloads, but its n over all rows.
    @Test("a percentage says of how many kills it is")
    func countOfPercentage() {
        let again = makeRow(lost: 900) { $0.kill = 2 }
        let limit = Promise.Limit(measure: .lossPercent, policy: "512KB", most: 5)
        let readings = PromiseJudge.readings(
            makeRows(3) + [again, Self.spared(commits: 20)], videoLength: 10 << 20,
            of: [promise(limit)])
        #expect(readings.map(\.n) == [3])
    }

    @Test("of several readings the worst counts, and one broken figure breaks the promise")
    func results() throws {
        let promise = promise(
            .init(measure: .commits, least: 20, most: 21),
            .init(measure: .hitFirstByteSeconds, most: 0.1))
        func result(_ readings: [(limit: Int, value: Double)]) throws -> PromiseResult {
            try #require(
                PromiseJudge.results(
                    readings.map {
                        PromiseReading(promise: "B0", limit: $0.limit, value: $0.value, n: 2)
                    }, of: [promise]
                ).first)
        }
        #expect(try result([]).verdict == .notJudged)
        #expect(try result([]).measured == "-")
        #expect(try result([(0, 20)]).verdict == .holds)
        #expect(try result([(0, 20)]).isPartial)
        #expect(try !result([(0, 20), (1, 0.05)]).isPartial)
        let broken = try result([(0, 20), (0, 24), (0, 21), (1, 0.05)])
        #expect(broken.verdict == .broken && !broken.isPartial)
        #expect(broken.readings[0] == PromiseReading(promise: "B0", limit: 0, value: 24, n: 6))
        #expect(broken.measured.contains("24 commits (n 6, broken by 3)"), "\(broken.measured)")
        #expect(try result([(1, 0.25)]).measured.contains("broken by 150.0 ms"))
        #expect(broken.word == "BROKEN")
    }

    @Test("of estimates of one figure the worst verdict counts, with its own rows")
    func estimates() throws {
        let limit = Promise.Limit(measure: .lossPercent, most: 5)
        func reading(_ value: Double, _ low: Double, _ high: Double) -> PromiseReading {
            PromiseReading(
                promise: "B0", limit: 0, value: value, n: 60,
                interval: ConfidenceInterval(low: low, high: high))
        }
        let open = reading(4, 2, 6)
        let result = try #require(
            PromiseJudge.results([reading(4.5, 4, 4.9), open], of: [promise(limit)]).first)
        #expect(result.readings == [open])
        #expect(result.verdict == .undecided && result.word == "undecided")
        let report = DocumentedReport(runID: "r", seed: 1, results: [result], failures: [])
        #expect(report.status == .inconclusive)
    }

    @Test(
        "an unknown is never a pass",
        arguments: [
            ([20.0, 0.05], RigModel.ExitStatus.success), ([20, nil], .inconclusive),
            ([nil, nil], .inconclusive), ([24, nil], .gateFailed),
        ])
    func status(values: [Double?], status: RigModel.ExitStatus) {
        let promise = promise(
            .init(measure: .commits, least: 20, most: 21),
            .init(measure: .hitFirstByteSeconds, most: 0.1))
        let readings = values.enumerated().map { index, value in
            value.map { PromiseReading(promise: "B0", limit: index, value: $0, n: 1) }
        }
        let report = DocumentedReport(
            runID: "r", seed: 1, results: [PromiseResult(promise: promise, readings: readings)],
            failures: [])
        #expect(report.status == status)
    }
}
