import RigModel
import RigReport
import TestSupport
import Testing

@Suite struct IterationsCSVTests {
    @Test func theColumnsAreThoseOfTheDocumentation() {
        #expect(
            IterationsCSV.header
                == "schema,run_id,iteration,kill,policy,threshold_bytes,worker,workload,fault,"
                + "trigger,planned,phase,kill_seconds,served_bytes,received_bytes,"
                + "acknowledged_bytes,recovered_bytes,lost_bytes,loss_percent,bound_bytes,"
                + "bound_ok,corrupt_bytes,integrity,chunks,commits,active_requests,"
                + "refetched_bytes,recovery_seconds,resume_seconds,verdict,reason,seed,"
                + "checkers,not_judged,attempts,allowed_loss_percent,realised,crash_states,"
                + "grace_seconds,end_seconds,"
                + "retrieved_bytes,chunks_retrieved,launch_bytes,written_bytes,writes,syncs,"
                + "checkpoints,cpu_seconds,sweep_cases,sweep_tried\n")
    }

    /// A column without an explanation is of no use to a reader.
    @Test func theDocumentationExplainsEveryColumnByItsNumber() throws {
        let page = try Checkout.text(of: "docs/reading-results.md")
        let lines = page.split(separator: "\n")
        let names = IterationsCSV.header.dropLast().split(separator: ",")
        for (index, name) in names.enumerated() {
            #expect(
                lines.contains { $0.hasPrefix("| \(index + 1) | `\(name)` | ") },
                "docs/reading-results.md has no line for column \(index + 1), \(name)")
        }
        #expect(!lines.contains { $0.hasPrefix("| \(names.count + 1) | `") })
    }

    @Test func aRowIsOneLine() {
        #expect(
            IterationsCSV.line(makeFullRow())
                == "2,2026-11-21-1,1,1,512KB,524288,downloader,download,sigkill,bytes,3000000,"
                + "committing,0.250000,3000002,3000000,2621440,2621440,378560,12.619,524288,true,"
                + "0,true,5,5,1,7864320,0.012500,0.020000,pass,,18446744073709551615,"
                + ",,1,17.476,3000000.000000,,,,2621440,5,,,,,,,,\n")
    }

    @Test func whatIsNotKnownIsEmpty() throws {
        let row = IterationRow(
            runID: "r",
            plan: PlannedIteration(
                iteration: 1, policy: Policy(threshold: nil), trigger: .time(0.5), delaySeconds: 0,
                seed: 3),
            kill: 1, worker: "w", workload: "download", fault: .sigkill, verdict: .inconclusive,
            reason: "nothing had been received yet")
        let line = IterationsCSV.line(row)
        #expect(
            line == "2,r,1,1,disabled,,w,download,sigkill,time,0.500000,,,,,,,,,,,,,,,,,,,"
                + "inconclusive,nothing had been received yet,3,,,1,,,,,,,,,,,,,,,\n")
        #expect(try IterationsCSV.read((IterationsCSV.header + line).utf8).rows == [row])
    }

    @Test func rowsAreReadAsTheyWereWritten() throws {
        let rows =
            (1...20).map { makeFullRow(iteration: $0) }
            + [
                makeFullRow("disabled"), makeFullRow("1MB"), makeFullRow("8000000GB"),
                makeFullRow("8000000000GB"),
                makeFullRow("1000") {
                    ($0.verdict, $0.checkers, $0.reason) = (.fail, [.bound], "bound: lost too much")
                    ($0.notJudged, $0.attempts) = ([.agreement, .durability], 20)
                },
                makeFullRow {
                    ($0.iteration, $0.fault, $0.crashStates) = (21, "power-cut-torn", 12)
                },
                makeFullRow {
                    ($0.iteration, $0.fault, $0.crashStates) = (24, "power-cut-torn", 12)
                    ($0.sweepCases, $0.sweepTried) = (900, 40)
                },
                makeFullRow { ($0.iteration, $0.fault, $0.graceSeconds) = (22, "term", 0.05) },
                makeFullRow {
                    ($0.iteration, $0.launchBytes, $0.writtenBytes) = (23, 3_000_000, 2_700_000)
                    ($0.writes, $0.syncs, $0.checkpoints) = (170, 5, 0)
                    $0.processorSeconds = 0.031_25
                },
            ]
            + Phase.allCases.enumerated().map { index, phase in
                makeFullRow(iteration: 31 + index) { $0.phase = phase }
            }
        let file = try IterationsCSV.read(IterationsCSV.text(rows).utf8)
        #expect(file.rows == rows)
        #expect(file.tornLine == nil)
    }

    @Test func secondsHaveSixDecimalsAndPercentagesThree() throws {
        let row = makeFullRow {
            $0.killSeconds = 1.0 / 3
            $0.lossPercent = 100 * 378_560 / 3_000_000.0
        }
        let read = try #require(IterationsCSV.read(IterationsCSV.text([row]).utf8).rows.first)
        #expect(read.killSeconds == 0.333333)
        #expect(read.lossPercent == 12.619)
    }

    @Test func everyCutInTheLastLineIsTornAndNothingElse() throws {
        let first = IterationsCSV.header + IterationsCSV.line(makeFullRow())
        let last = IterationsCSV.line(
            makeFullRow(iteration: 2) {
                ($0.verdict, $0.checkers) = (.fail, [.bound])
                $0.reason = "completion: \"no\", it said"
            })
        for length in 1..<last.utf8.count {
            let file = try IterationsCSV.read(Array(first.utf8) + last.utf8.prefix(length))
            #expect(file.rows.count == 1)
            #expect(file.tornLine == 3)
        }
        #expect(try IterationsCSV.read((first + last).utf8).tornLine == nil)
    }

    @Test(arguments: ["", "schema,run_id"])
    func aFileWithoutAHeaderLineIsNone(text: String) {
        #expect(throws: CSVError.noHeader) { try IterationsCSV.read(text.utf8) }
    }

    @Test func aHeaderAloneHasNoRows() throws {
        #expect(try IterationsCSV.read(IterationsCSV.header.utf8).rows.isEmpty)
    }
}
