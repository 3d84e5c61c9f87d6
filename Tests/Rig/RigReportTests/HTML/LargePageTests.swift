import Foundation
import RigModel
import RigReport
import Testing

@Suite struct LargePageTests {
    private static let most = 2_000_000

    private static func rows(_ count: Int, failing: Bool) -> [IterationRow] {
        var random = SplitMix64(seed: 5)
        return (1...count).map { index in
            let received = 1 + Int64(random.unit() * 10_485_759)
            let lost = Int64(random.unit() * Double(failing ? received : min(received, 524_288)))
            guard failing else {
                return makeFullRow(iteration: index) {
                    ($0.receivedBytes, $0.lostBytes) = (received, lost)
                    $0.recoverySeconds = random.unit() / 20
                }
            }
            return makeFailedRow(iteration: index, lost: lost) { $0.receivedBytes = received }
        }
    }

    @Test(arguments: [false, true]) func tenThousandRowsFit(failing: Bool) {
        let text = ReportPage.text(makeRun(Self.rows(10_000, failing: failing)))
        #expect(text.utf8.count < Self.most, "\(text.utf8.count)")
        #expect(text.contains("10\u{202F}000 kills failed.") == failing)
    }

    @Test func whatIsLeftOutIsSaid() {
        let text = ReportPage.text(makeRun(Self.rows(1_500, failing: true)))
        expect(
            text, has: "The first 500 are listed; 1\u{202F}000 more are in iterations.csv.",
            "The first 100 are shown", "id=\"failure-100\"", lacks: "id=\"failure-101\"")
    }

    @Test func aCountThatFitsLeavesNothingOut() {
        let text = ReportPage.text(makeRun(Self.rows(100, failing: true)))
        expect(text, lacks: "are listed;", "The first 100 are shown")
    }

    /// Texts that grow when escaped are measured in their escaped form.
    @Test func tenThousandRowsOfTheWorstTextFit() {
        let worst = String(repeating: "\"\u{202E}", count: 4_000)
        let rows = Self.rows(10_000, failing: true).map { row in
            var row = row
            (row.reason, row.planned) = (worst, worst)
            return row
        }
        let details = Dictionary(
            ReportPage.detailed(rows).map {
                (RowIdentity($0), KillDetails(workerLog: worst, resumption: nil))
            }
        ) { first, _ in first }
        let text = ReportPage.text(makeRun(rows, details: details))
        #expect(text.utf8.count < Self.most, "\(text.utf8.count)")
    }

    private func places(_ path: String) -> [Double] {
        path.matches(of: /[HM]([0-9.]+)/).compactMap { Double($0.1) }
    }

    private func path(_ style: String, in text: String) -> String? {
        guard let start = text.range(of: "<path class=\"\(style)\" d=\"") else { return nil }
        return String(text[start.upperBound...].prefix { $0 != "\"" })
    }

    /// Thinning may move a step by half a drawing unit, but not the maximum, nor a step across the
    /// bound.
    @Test func thinningMovesNeitherTheGreatestValueNorTheBound() throws {
        let bound: Int64 = 524_288
        // All values lie within half a drawing unit of the bound, on both sides of it.
        let lost = (1...5_000).map { bound - $0 % 300 } + (1...5_000).map { bound + $0 % 300 + 1 }
        let rows = lost.enumerated().map { index, lost in
            makeFailedRow(iteration: index + 1, lost: lost)
        }
        var summary = makeSummary()
        var policy = makePolicySummary("512KB", bound: bound)
        policy.lostBytesMax = lost.max()
        summary.policies = [policy]
        let text = ReportPage.text(makeRun(rows, summary: summary))
        let within = try #require(path("curve", in: text))
        let beyond = try #require(path("curve beyond", in: text))
        // Half of the kills lie within the bound, so the curve leaves it at half its height.
        #expect(within.contains("V115H"), "\(within)")
        #expect(beyond.hasPrefix("M") && beyond.contains(" 115H"), "\(beyond)")
        #expect(beyond.hasSuffix("V36"), "\(beyond)")
        let edge = try #require(places(within).last)
        #expect(places(beyond).allSatisfy { $0 >= edge })
        #expect(text.contains("5\u{202F}000 of 10\u{202F}000 kills lost more than the bound"))
        #expect(within.utf8.count + beyond.utf8.count < 400)
    }
}
