import RigModel
import RigVerdict
import Testing

@Suite struct SummariesTests {
    @Test func addsUpTheRowsOfEachPolicy() throws {
        var rows = (1...4).map { index in
            makeRow(iteration: index, lost: Int64(index * 100), received: 1_000) { row in
                row.commits = index
                row.acknowledgedBytes = 600
                row.refetchedBytes = 5_000
                row.recoverySeconds = Double(index) / 100
                row.phase = index < 4 ? .committing : .receiving
            }
        }
        rows.append(makeRow(iteration: 5, verdict: .fail, lost: 900, received: 1_000))
        rows.append(
            makeRow(
                iteration: 6, verdict: .inconclusive, reason: "too early", lost: 7, received: 7
            ) { $0.phase = .connecting })
        let summary = try #require(Summaries.of(rows).first)
        #expect(summary.policy == "512KB" && summary.worker == "downloader")
        #expect(summary.fault == "sigkill" && summary.iterations == 6 && summary.kills == 6)
        #expect([summary.passed, summary.failed, summary.inconclusive] == [4, 1, 1])
        #expect(summary.receivedBytes == 5_000 && summary.lostBytes == 1_900)
        #expect(summary.recoveredBytes == 3_100 && summary.lossPercent == 38)
        #expect(summary.documentedLossPercent == nil && summary.lostBytesMedian == 300)
        #expect(summary.lostBytesP95 == 900 && summary.lostBytesMax == 900)
        #expect(summary.boundBytes == 524_288 && summary.violations == 1)
        let bound = try #require(summary.violationRateUCB95)
        // scipy.stats.beta.ppf(.95, 2, 4)
        #expect(abs(bound - 0.6574083) < 1e-6)
        #expect(summary.refetchedBytes == 20_000 && summary.commitsMean == 2.5)
        #expect(summary.commitBytesMean == 240 && summary.recoverySecondsMedian == 0.025)
        #expect(summary.recoverySecondsP99 == 0.04)
        #expect(summary.phasesHit == [.receiving, .committing])
    }

    /// 8 % lost stood beside the documents' 3-5 %, without the loss that the threshold allows.
    @Test func theAllowedLossIsThatOfTheseVeryKills() throws {
        let received = [100, 1_000_000, nil] as [Int64?]
        let rows = received.enumerated().map { index, received in
            makeRow(iteration: index + 1, lost: received.map { _ in 50 }, received: received) {
                $0.attempts = index + 1
            }
        }
        #expect(rows.map(\.allowedLossPercent) == [100, 52.429, nil])
        let summary = try #require(Summaries.of(rows).first)
        let percent = try #require(summary.allowedLossPercent)
        #expect(abs(percent - 100 * (100 + 524_288) / 1_000_100.0) < 1e-9)
        #expect(summary.attempts == 6)
        let disabled = try #require(Summaries.of(makeRows(3, "disabled")).first)
        #expect(disabled.allowedLossPercent == nil)
    }

    /// For a worker with a source of its own nothing is known, which is not zero.
    @Test func whatNoRowKnowsIsNoSumOfZero() throws {
        let rows = makeRows(3) {
            $0.receivedBytes = nil
            $0.lostBytes = nil
            $0.recoveredBytes = 5
        }
        let summary = try #require(Summaries.of(rows).first)
        #expect(summary.receivedBytes == nil && summary.lostBytes == nil)
        #expect(summary.refetchedBytes == nil && summary.recoveredBytes == 15)
        #expect(Summaries.of([makeRow(verdict: .inconclusive)]).first?.lostBytes == 0)
    }

    @Test func lossIsARatioOfSumsAndNotAMeanOfRatios() {
        let rows = [
            makeRow(lost: 100, received: 100), makeRow(iteration: 2, lost: 0, received: 900),
        ]
        #expect(Summaries.of(rows).first?.lossPercent == 10)
    }

    @Test func sumsBeyondTheGreatestNumberEndNothing() throws {
        let rows = makeRows(3) {
            $0.corruptBytes = .max
            $0.commits = .max
            $0.acknowledgedBytes = .max
        }
        #expect(try #require(Summaries.of(rows).first).corruptBytes == .max)
    }

    @Test func policiesComeInTheOrderAskedFor() {
        let rows = makeRows(2, "disabled") + makeRows(1, "1MB")
        let names = Summaries.of(rows, policies: ["256KB", "1MB"]).map(\.policy)
        #expect(names == ["256KB", "1MB", "disabled"])
    }

    @Test func aPolicyWithoutRowsKnowsNothing() throws {
        let summary = try #require(Summaries.of([], policies: ["1MB"]).first)
        #expect(summary.kills == 0 && summary.lossPercent == nil)
        #expect(summary.violationRateUCB95 == nil && summary.lostBytesMedian == nil)
        #expect(summary.boundBytes == nil && summary.commitBytesMean == nil)
        #expect(summary.phasesHit.isEmpty)
        #expect(summary.strata.count == Phase.allCases.count)
    }

    @Test(
        arguments: [
            ("512KB", .pass, [], false), ("512KB", .inconclusive, [], false),
            ("512KB", .fail, [.bound], true), ("512KB", .fail, [.ranges], true),
            ("disabled", .fail, [.durability], true), ("disabled", .fail, [.nullControl], false),
            ("disabled", .fail, [.nullControl, .integrity], true),
        ] as [(String, Verdict, Set<Checker>, Bool)])
    func violations(policy: String, verdict: Verdict, checkers: Set<Checker>, isOne: Bool) {
        // The sentence is for readers; its words must not matter.
        let row = makeRow(
            policy, verdict: verdict, reason: "null-control: looks like one", checkers: checkers)
        #expect(row.isViolation == isOne)
    }

    /// If no worker completed its file, its wrong bytes were not counted; a summary said 0.
    @Test func corruptBytesThatNoRowKnowsAreNotZero() throws {
        let rows = makeRows(3) { $0.corruptBytes = nil }
        #expect(try #require(Summaries.of(rows).first).corruptBytes == nil)
        #expect(try #require(Summaries.of(rows + [makeRow(iteration: 4)]).first).corruptBytes == 0)
    }

    /// The documents' 3-5 % stood beside every run, also of kills anywhere and of longer videos.
    @Test(
        arguments: [
            ([8 << 20, 7_900_000], "download", 1, "3-5"), ([10 << 20], "download", 1, "3-5"),
            ([8 << 20, 10 << 20], "download", 1, "3-5"),
            ([8 << 20, 3_000_000], "download", 1, nil),
            ([25 << 20], "download", 1, nil), ([8 << 20], "playback", 1, nil),
            ([8 << 20], "download", 2, nil),
        ] as [([Int64], String, Int, String?)])
    func theDocumentedLossIsSetBesideKillsThatItIsAbout(
        received: [Int64], workload: String, kill: Int, documented: String?
    ) throws {
        let rows = received.enumerated().map { index, count in
            makeRow(iteration: index + 1, received: count) {
                $0.workload = workload
                $0.kill = kill
            }
        }
        let early = makeRow(iteration: 9, verdict: .inconclusive, reason: "too early", received: 5)
        #expect(
            try #require(Summaries.of(rows + [early]).first).documentedLossPercent == documented)
    }
}
