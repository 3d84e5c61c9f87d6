import Foundation
import RigModel
import RigReport
import Testing

@Suite struct RunEventsTests {
    private func object(_ line: String) throws -> [String: Any] {
        #expect(line.hasSuffix("\n") && !line.dropLast().contains { $0.isNewline })
        return try parsed(line)
    }

    @Test func aRowHasEveryColumnOfTheCSVByName() throws {
        let row = makeFullRow { $0.resumeSeconds = nil }
        let event = try object(RunEvents.row(row))
        let columns = IterationsCSV.header.dropLast().split(separator: ",").map(String.init)
        #expect(Set(event.keys) == Set(columns + ["event"]))
        let fields = try #require(
            try CSVReader.read(IterationsCSV.line(row).utf8).records.first?.fields)
        for (column, field) in zip(columns, fields) {
            switch event[column] {
            case let text as String: #expect(text == field, "\(column)")
            case is NSNull: #expect(field.isEmpty, "\(column)")
            case let number as NSNumber:
                let isFlag = ["true", "false"].contains(field)
                #expect(
                    isFlag
                        ? number.boolValue == (field == "true")
                        : number.doubleValue == Double(field), "\(column)")
            default: Issue.record("\(column) is missing")
            }
        }
        #expect(event["lost_bytes"] as? Int == 378_560)
        #expect(event["loss_percent"] as? Double == 12.619)
        #expect(event["bound_ok"] as? Bool == true)
        #expect(event["resume_seconds"] is NSNull)
        #expect(event["phase"] as? String == "committing")
        #expect(event["reason"] as? String == "")
        #expect(event["seed"] as? String == "18446744073709551615")
    }

    /// An unknown value is null in every column that allows it, and never 0.
    @Test func whatIsNotKnownIsNull() throws {
        var row = makeFullRow()
        row = IterationRow(
            runID: row.runID,
            plan: PlannedIteration(
                iteration: 1, policy: Policy(threshold: nil), trigger: .bytes(1), delaySeconds: 0,
                seed: 1),
            kill: 1, worker: "w", workload: "download", fault: .sigkill, verdict: .inconclusive,
            reason: "why")
        let event = try object(RunEvents.row(row))
        let known = event.filter { !($0.value is NSNull) }.keys
        #expect(
            Set(known) == [
                "event", "schema", "run_id", "iteration", "kill", "policy", "worker", "workload",
                "fault", "trigger", "planned", "verdict", "reason", "seed", "attempts",
            ])
    }

    @Test func theFirstLineSaysWhatTheRunIs() throws {
        let event = try object(
            RunEvents.run(
                makeRunManifest(policies: ["512KB", "disabled"], host: nil), folder: "results/x"))
        #expect(event["event"] as? String == "run")
        #expect(event["schema"] as? Int == RunEvents.schema)
        #expect(event["folder"] as? String == "results/x")
        #expect(event["policies"] as? [String] == ["512KB", "disabled"])
        #expect(event["expected_rows"] as? Int == 200)
        #expect(event["host"] is NSNull)
        #expect(event["partition"] is NSNull)
        #expect((event["versions"] as? [String: String])?["rig"] == "0.1.0")
    }

    @Test func theLastLinesAreTheGatesAndTheSummary() throws {
        let summary = makeSummary()
        let events = try RunEvents.conclusion(summary).map(object)
        #expect(events.map { $0["event"] as? String } == ["gate", "gate", "gate", "summary"])
        #expect(events.prefix(3).map { $0["verdict"] as? String } == ["fails", "holds", "unknown"])
        let file = try parsed(SummaryJSON.text(summary))
        var last = events[3]
        last["event"] = nil
        #expect(NSDictionary(dictionary: last) == NSDictionary(dictionary: file))
    }

    @Test func progressKnowsNoRateBeforeItKnowsAnything() throws {
        let event = try object(
            RunEvents.progress(
                ProgressState(
                    done: 1, total: 4, policy: "512KB", violations: 0, rateBound: nil,
                    inconclusive: 1, elapsedSeconds: 0.25)))
        #expect(event["done"] as? Int == 1)
        #expect(event["violation_rate_ucb95"] is NSNull)
        #expect(event["elapsed_seconds"] as? Double == 0.25)
    }
}
