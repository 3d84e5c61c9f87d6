import RigModel
import RigReport
import Testing

@Suite struct IterationsCSVDamageTests {
    private func expect(
        _ text: some StringProtocol, fails error: CSVError,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        #expect(throws: error, sourceLocation: sourceLocation) { try IterationsCSV.read(text.utf8) }
    }

    private func damaged(_ column: String, _ field: String) -> String {
        let names = IterationsCSV.header.dropLast().split(separator: ",").map(String.init)
        var fields = IterationsCSV.line(makeFullRow(iteration: 2)).dropLast()
            .split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        if let index = names.firstIndex(of: column) { fields[index] = field }
        return IterationsCSV.text([makeFullRow()]) + fields.joined(separator: ",") + "\n"
    }

    @Test(arguments: [
        ("schema", "1"), ("schema", "3"), ("schema", ""), ("iteration", "x"), ("iteration", ""),
        ("kill", "-1"),
        ("threshold_bytes", "512KB"), ("phase", "sleeping"), ("kill_seconds", "nan"),
        ("kill_seconds", "1e3"), ("kill_seconds", "."), ("kill_seconds", "1..2"),
        ("kill_seconds", "-1.5"), ("received_bytes", "+5"), ("received_bytes", "1.5"),
        ("received_bytes", "9223372036854775808"), ("received_bytes", "9007199254740993"),
        ("corrupt_bytes", "9223372036854775807"), ("commits", "9223372036854775807"),
        ("received_bytes", " 1"), ("lost_bytes", "-1"),
        ("loss_percent", "inf"), ("bound_ok", "yes"), ("bound_ok", "TRUE"), ("integrity", "1"),
        ("chunks", "many"), ("verdict", "passed"), ("verdict", ""), ("seed", ""),
        ("seed", "18446744073709551616"), ("checkers", "bounds"),
        ("checkers", "durability|bound"), ("checkers", "bound|bound"), ("checkers", "|"),
        ("not_judged", "none"), ("attempts", ""), ("attempts", "-1"),
        ("allowed_loss_percent", "much"),
    ])
    func whatIsNoValueIsNamedWithLineAndColumn(column: String, field: String) {
        let error = #expect(throws: CSVError.self) {
            try IterationsCSV.read(damaged(column, field).utf8)
        }
        guard case .unreadable(let line, let name, let text, _)? = error else {
            Issue.record("another error: \(String(describing: error))")
            return
        }
        #expect(line == 3)
        #expect(name == column)
        #expect(text == field)
    }

    @Test(arguments: [
        ("iteration", "1", "kill 1 of iteration 1 of 512KB is on line 2 already"),
        ("iteration", "0", "iterations and kills are counted from 1"),
        ("policy", "mine", "'mine' is no policy"),
        ("policy", "524288", "'524288' is no policy"),
        ("policy", "1MB", "threshold_bytes is not the threshold of 1MB"),
        ("lost_bytes", "3000001", "lost_bytes 3000001 is more than received_bytes 3000000"),
        ("loss_percent", "12.6", "loss_percent is not 100 × lost_bytes ÷ received_bytes"),
        ("bound_ok", "false", "bound_ok is false with 378560 bytes lost and a bound of 524288"),
        ("bound_bytes", "1", "bound_ok is true with 378560 bytes lost and a bound of 1"),
        ("lost_bytes", "", "lost_bytes is empty beside received_bytes and recovered_bytes"),
        ("received_bytes", "", "lost_bytes without received_bytes and recovered_bytes"),
        ("recovered_bytes", "", "lost_bytes without received_bytes and recovered_bytes"),
        (
            "recovered_bytes", "2621439",
            "lost_bytes 378560 is less than received_bytes 3000000 minus recovered_bytes 2621439"
        ),
        ("loss_percent", "", "loss_percent is empty beside lost_bytes and received_bytes"),
        ("bound_bytes", "", "bound_ok without bound_bytes"),
        (
            "bound_bytes", "524289",
            "bound_bytes is not from threshold_bytes to threshold_bytes × active_requests"
        ),
        (
            "bound_bytes", "524287",
            "bound_bytes is not from threshold_bytes to threshold_bytes × active_requests"
        ),
        ("bound_ok", "", "bound_ok is empty beside lost_bytes and bound_bytes"),
        ("active_requests", "", "bound_bytes without active_requests"),
        ("acknowledged_bytes", "", "a pass without acknowledged_bytes"),
        ("acknowledged_bytes", "2621441", "a pass with more acknowledged than recovered"),
        ("corrupt_bytes", "", "a pass without corrupt_bytes"),
        ("integrity", "", "a pass without integrity"),
        ("refetched_bytes", "", "a pass without refetched_bytes"),
        ("integrity", "false", "a pass without integrity"),
        ("corrupt_bytes", "1", "a pass with corrupt bytes"),
        ("reason", "none", "a pass with a reason"),
        ("verdict", "fail", "fail without a reason"),
        ("verdict", "inconclusive", "inconclusive without a reason"),
        ("checkers", "bound", "pass with checkers that found something"),
        ("attempts", "0", "a row for which no launch was begun"),
        ("crash_states", "3", "3 crash_states of the fault sigkill"),
        ("sweep_cases", "3", "sweep_cases, sweep_tried and crash_states are not all there"),
        ("sweep_tried", "3", "sweep_cases, sweep_tried and crash_states are not all there"),
        ("grace_seconds", "5.0", "grace_seconds of the fault sigkill"),
        ("end_seconds", "0.1", "bound_bytes of a worker that ended when it was asked to"),
        ("retrieved_bytes", "2621441", "more retrieved_bytes than recovered_bytes"),
        ("chunks_retrieved", "6", "more chunks_retrieved than chunks"),
        (
            "allowed_loss_percent", "",
            "allowed_loss_percent is not 100 × min(bound_bytes, received_bytes) ÷ received_bytes"
        ),
        (
            "allowed_loss_percent", "17.475",
            "allowed_loss_percent is not 100 × min(bound_bytes, received_bytes) ÷ received_bytes"
        ),
    ])
    func contradictionsAreNamedWithTheirLine(column: String, field: String, problem: String) {
        expect(damaged(column, field), fails: .contradiction(line: 3, problem: problem))
    }

    @Test(
        arguments: [
            ([], [], "fail without a checker that found something"),
            ([.bound], [.bound], "bound found something and was not judged"),
        ] as [(Set<Checker>, Set<Checker>, String)])
    func aFailureIsOneByCheckersThatCouldLook(
        checkers: Set<Checker>, notJudged: Set<Checker>, problem: String
    ) {
        let row = makeFullRow {
            ($0.verdict, $0.reason, $0.checkers) = (.fail, "bound: lost too much", checkers)
            $0.notJudged = notJudged
        }
        expect(IterationsCSV.text([row]), fails: .contradiction(line: 2, problem: problem))
    }

    @Test func aPassOfWhichNothingIsKnownIsNone() {
        let blank = makeFullRow {
            ($0.receivedBytes, $0.acknowledgedBytes, $0.recoveredBytes) = (nil, nil, nil)
            ($0.lostBytes, $0.lossPercent, $0.boundBytes) = (nil, nil, nil)
            $0.boundOK = nil
        }
        expect(
            IterationsCSV.text([blank]),
            fails: .contradiction(line: 2, problem: "a pass without received_bytes"))
    }

    @Test(arguments: ["512KB", "disabled"])
    func aBoundIsOfAPolicyThatPromisesOne(policy: String) {
        let row = makeFullRow(policy) {
            $0.boundBytes = policy == "disabled" ? 524_288 : nil
            $0.boundOK = policy == "disabled" ? true : nil
        }
        let problem =
            policy == "disabled"
            ? "bound_bytes for disabled, which promises no bound" : "a pass without bound_bytes"
        expect(IterationsCSV.text([row]), fails: .contradiction(line: 2, problem: problem))
    }

    @Test func anotherHeaderIsRefused() {
        let other = IterationsCSV.header.replacing("lost_bytes", with: "lost_kb")
        expect(other, fails: .wrongHeader(column: 18, expected: "lost_bytes", found: "lost_kb"))
        let longer = IterationsCSV.header.dropLast() + ",more\n"
        expect(longer, fails: .wrongHeader(column: 51, expected: nil, found: "more"))
        let shorter = IterationsCSV.header.replacing(",seed", with: "")
        expect(shorter, fails: .wrongHeader(column: 32, expected: "seed", found: "checkers"))
    }

    @Test(arguments: [("a,b\n", 2), ("\n", 1)])
    func aLineWithAnotherNumberOfFieldsIsRefused(line: String, count: Int) {
        let text = IterationsCSV.text([makeFullRow()]) + line
        expect(text, fails: .wrongColumnCount(line: 3, expected: 50, found: count))
    }

    @Test func aFileCutInTheMiddleIsDamagedAndNotTorn() {
        let lines = IterationsCSV.text((1...3).map { makeFullRow(iteration: $0) })
            .split(separator: "\n")
        let text = "\(lines[0])\n\(lines[1].dropLast(40))\n\(lines[2])\n"
        #expect(throws: CSVError.self) { try IterationsCSV.read(text.utf8) }
    }

    @Test(arguments: [
        CSVError.noHeader, .wrongHeader(column: 1, expected: "a", found: nil), .notUTF8(line: 4),
        .badQuoting(line: 4), .wrongColumnCount(line: 4, expected: 32, found: 1),
        .unreadable(line: 4, column: "seed", text: "x", expected: "a whole number"),
        .contradiction(line: 4, problem: "a pass with a reason"),
    ])
    func errorsSayWhatToDoAndEndIn65(error: CSVError) {
        let whole = error.rigError(file: "iterations.csv")
        #expect(whole.status == .data)
        #expect(whole.message.hasPrefix("iterations.csv: "))
        #expect(whole.message.contains("; restore the file") || whole.message.contains("; take"))
        #expect(!whole.message.contains { $0.isNewline })
    }
}
