import Foundation
import RigModel
import Testing

/// Programs that download nothing, and the commands of their users that judge what a kill left.
@Suite struct AnyProgramTests {
    private let place = Workplace()

    private static let examples = "\(OwnWorker.repository)/harness/examples/any-program"
    private static let notes = [
        "--check", "\(examples)/check-notes.py {dir} {said}", "--check-sees",
        "truncate -s 100 {dir}/notes.json",
    ]

    @discardableResult
    private func kill(
        _ program: [String], _ more: String..., options: [String] = [], exits code: Int32? = nil,
        in place: Workplace? = nil, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> (outcome: Programs.Outcome, rows: [IterationRow]) {
        try await (place ?? self.place).kill(
            program, ["--seed", "4"] + options + more, exits: code, sourceLocation: sourceLocation)
    }

    /// A shell script, whose `$1` is its folder.
    @discardableResult
    private func kill(
        script: String, _ options: String..., exits code: Int32? = nil,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> (outcome: Programs.Outcome, rows: [IterationRow]) {
        try await kill(
            ["/bin/sh", "-c", script, "sh", "{dir}"], options: options, exits: code,
            sourceLocation: sourceLocation)
    }

    // MARK: The examples

    @Test func aFileSavedInPlaceIsCaughtAndItsCureNever() async throws {
        let broken = try await kill(
            ["python3", "\(Self.examples)/notes-in-place.py", "{dir}"],
            "--trigger", "syscall", "--iterations", "6", options: Self.notes, exits: 99)
        #expect(broken.rows.count == 6)
        #expect(broken.rows.contains { $0.checkers.contains(.check) })
        #expect(broken.outcome.output.contains("notes.json cannot be read"))
        #expect(broken.rows.allSatisfy { $0.lostBytes == nil && $0.thresholdBytes == nil })

        let cure = Workplace()
        let mended = try await kill(
            ["python3", "\(Self.examples)/notes-beside.py", "{dir}"],
            "--iterations", "6", options: Self.notes, exits: 0, in: cure)
        #expect(mended.rows.allSatisfy { $0.verdict != .fail }, "\(mended.rows.map(\.reason))")
        #expect(mended.outcome.output.contains("checked"))
        #expect(!mended.outcome.output.contains("--check-sees"))
    }

    /// A relaunch, which puts in every row again, had made good what a cut had cost.
    ///
    /// With a deleted journal `FULL` passed too, and does not keep each commit.
    @Test(.enabled(if: installed("sqlite3") != nil), arguments: [("OFF", 99), ("FULL", 0)])
    func theModelOfAPowerCutTellsWhatSQLiteSyncs(mode: String, code: Int) async throws {
        let (_, rows) = try await kill(
            ["\(Self.examples)/sqlite.sh", "{dir}", mode], "--check",
            "\(Self.examples)/check-sqlite.sh {dir} {said}", "--check-sees",
            "sqlite3 {dir}/data.db 'DELETE FROM done WHERE n = 3'", "--iterations",
            code == 99 ? "8" : "4", "--fault", "power-cut-torn", "--states", "4", "--no-relaunch",
            exits: Int32(code))
        #expect(rows.contains { $0.checkers.contains(.check) } == (code == 99))
    }

    /// Builds the log of the examples, and returns its path.
    private static func log(in place: Workplace) async throws -> String {
        let log = place.path("log")
        try await Programs.run(
            try #require(installed("cc")), ["-O2", "-o", log, "\(examples)/log.c"],
            in: place.url, exits: 0)
        return log
    }

    @Test(
        .enabled(if: installed("cc") != nil), arguments: [("length-first", 99), ("data-first", 0)])
    func aLengthBeforeItsRecordIsCaught(order: String, code: Int) async throws {
        let log = try await Self.log(in: place)
        let (_, rows) = try await kill(
            [log, order, "{dir}"], "--check", "\(log) check {dir} {said}", "--iterations",
            code == 99 ? "20" : "6", "--check-sees", "truncate -s 100 {dir}/log",
            options: code == 99 ? ["--no-relaunch"] : [], exits: Int32(code))
        #expect(rows.contains { $0.checkers.contains(.check) } == (code == 99))
    }

    /// The log of the examples took the zeros before its first record for a length of 0.
    ///
    /// So it went on there. Two calls of its eight hundred are before the first length, and
    /// kills by the clock had found it once, on a busy machine.
    @Test(.enabled(if: installed("cc") != nil), arguments: ["4:before", "4:after"])
    func aLogGoesOnThatHasNoLengthYet(moment: String) async throws {
        let log = try await Self.log(in: place)
        let (_, rows) = try await kill(
            [log, "data-first", "{dir}"], "--check", "\(log) check {dir} {said}", "--trigger",
            "syscall", "--at", moment, "--iterations", "1", exits: 0)
        #expect(rows.count == 1)
    }

    // MARK: Reports

    /// They had thresholds, losses and empty plots of bytes, which a program does not have that
    /// downloads nothing.
    @Test func aReportNamesProgramCheckAndViolationOnly() async throws {
        let (outcome, _) = try await kill(
            script: "sleep 0.3; touch \"$1/done\"", "--check", "test -e {dir}/done",
            "--no-relaunch", "--iterations", "3", exits: 99)
        func text(_ name: String) throws -> String { try place.text("run/\(name)") }
        let page = try text("report.html")
        let texts = [
            "output": outcome.output + outcome.complaint,
            "summary": try text("summary.md"),
            "JUnit": try text("junit.xml"),
            "page": page.replacing(/(?s)<(style|script)>.*?<\/\1>/, with: "")
                .replacing(/<[^>]*>/, with: " "),
        ]
        for (name, text) in texts {
            let words = text.matches(
                of: /(?i)512 ?KB|polic|threshold|durability|received|\blost\b|video|download/)
            #expect(words.isEmpty, "\(name): \(words.map(\.output))")
        }
    }

    // MARK: Moments

    @Test func aKillComesRightAfterItsLine() async throws {
        let script = "for n in 1 2 3 4 5 6 7 8; do echo $n >> \"$1/log\"; echo $n; sleep 0.05; done"
        let (_, rows) = try await kill(
            script: script, "--check", "[ $(wc -l < {said}) -le $(wc -l < {dir}/log) ]",
            "--no-relaunch", "--trigger", "said", "--at", "3", "--iterations", "4", exits: 0)
        #expect(rows.map(\.planned) == ["3", "3", "3", "3"])
        // Between the line and the kill another one may be said on a busy machine.
        #expect(rows.allSatisfy { (3...8).contains($0.realised ?? 0) }, "\(rows.map(\.realised))")
        #expect(rows.contains { $0.realised == 3 })
    }

    @Test func killsInARowAreJudgedTogether() async throws {
        let (_, rows) = try await kill(
            ["python3", "\(Self.examples)/notes-beside.py", "{dir}"], "--kills", "2",
            "--iterations", "4", "--check-before", options: Self.notes, exits: 0)
        #expect(rows.count == 8)
        #expect(rows.contains { $0.kill == 2 && $0.verdict == .pass })
    }

    @Test func aProgramThatDoesNotEndIsEndedInTime() async throws {
        let script =
            "n=0; while :; do n=$((n + 1)); echo $n >> \"$1/log\"; echo $n; sleep 0.01; done"
        let (_, rows) = try await kill(
            script: script, "--check", "[ $(wc -l < {said}) -le $(wc -l < {dir}/log) ]",
            "--for", "500ms", "--iterations", "6", exits: 0)
        rows.all { $0.verdict == .pass }
    }

    @Test func everyIterationBeginsWithWhatWasPrepared() async throws {
        let script = "grep -q one \"$1/in/a\" && sleep 0.2 && echo two >> \"$1/in/a\""
        let (_, rows) = try await kill(
            script: script, "--prepare", "mkdir {dir}/in && echo one > {dir}/in/a && date >> made",
            "--check", "grep -q one {dir}/in/a", "--no-relaunch", "--iterations", "3", "--trigger",
            "time", exits: 0)
        #expect(rows.count == 3)
        #expect(try place.text("made").split(separator: "\n").count == 1)
    }

    @Test func aFailureIsRepeatedFromItsFolder() async throws {
        try await kill(
            script: "echo 1; sleep 0.3; touch \"$1/done\"", "--check", "test -e {dir}/done",
            "--no-relaunch", "--iterations", "2")
        let replayed = try await rig("replay", "run", "--iteration", "1", "--times", "2", in: place)
        replayed.prints("2 of 2")
        let said = try place.text("run/evidence/program-1-1/said")
        #expect(said.isEmpty || said == "1\n")
    }

    @Test func initWritesSettingsThatWork() async throws {
        try await rig(
            "init", "--check", "test -d {dir}", "--", "/bin/sh", "-c",
            "sleep 0.2; touch \"$1/done\"", "sh", "{dir}", in: place, exits: 0)
        #expect(try !place.text(".github/workflows/kill-test.yml").contains("audit"))
        try await place.killTest("--iterations", "2", "--seed", "1", exits: 0)
        #expect(try place.rows().map(\.workload) == ["check", "check"])
    }
}
