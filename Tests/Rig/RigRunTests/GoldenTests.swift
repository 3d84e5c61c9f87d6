import Foundation
import RigModel
import RigReport
import RigVerdict
import TestSupport
import Testing

/// Kills that were observed once, and the rows that the judge gave them then.
///
/// Their verdicts change only where a change means it: `harness/golden --record` stores the new ones.
struct GoldenTests {
    private struct Kill: Decodable {
        let kind: String
        let evidence: IterationEvidence
    }

    private static let folder = "results/reference/golden"

    @Test func eachKillHasTheRowThatIsStored() throws {
        let rows = try Checkout.text(of: "\(Self.folder)/kills.jsonl").split(separator: "\n").map {
            let kill = try StableJSON.read(Kill.self, from: String($0))
            return Judge.judge(kill.evidence).row(
                runID: "golden", worker: "worker", workload: kill.evidence.workload.rawValue)
        }
        #expect(rows.count > 300)
        let lines = [IterationsCSV.header] + rows.map(IterationsCSV.line)
        if ProcessInfo.processInfo.environment["RIG_GOLDEN"] == "record" {
            try lines.joined().write(
                toFile: Checkout.path("\(Self.folder)/rows.csv"), atomically: true, encoding: .utf8)
        }
        let stored = try Checkout.text(of: "\(Self.folder)/rows.csv")
            .split(separator: "\n").map { "\($0)\n" }
        #expect(stored.count == lines.count)
        for (line, before) in zip(lines, stored) { #expect(line == before) }
    }
}
