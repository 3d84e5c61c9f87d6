import Foundation
import Glibc
import RigModel
import TestSupport
import Testing

/// What goes with a download goes with a check as well: other deaths, jobs, parts, gates and more.
@Suite struct CheckedRunTests {
    private let place = Workplace()

    private static let examples = "\(OwnWorker.repository)/harness/examples/any-program"
    private static let checked = [
        "--seed", "4", "--check", "\(examples)/check-notes.py {dir} {said}", "--check-sees",
        "truncate -s 100 {dir}/notes.json",
    ]
    /// It saves as it should, so nothing may be found.
    private static let saves = ["--", "python3", "\(examples)/notes-beside.py", "{dir}"]

    /// Begins with so many notes that this many of the two hundred are left to save.
    private static func left(_ count: Int) -> [String] {
        let notes = "json.dumps([\"note\"] * \(200 - count))"
        return ["--prepare", "python3 -c 'import json; print(\(notes))' > {dir}/notes.json"]
    }

    // MARK: A right program

    struct Case: Sendable, CustomTestStringConvertible {
        let options: [String]
        /// What each of its rows has as its death.
        let fault: Fault

        var testDescription: String { "\(fault.rawValue) \(options.joined(separator: " "))" }
    }

    static let cases =
        [
            Case(options: ["--jobs", "2"], fault: .abort),
            Case(options: ["--relaunch", "again"], fault: .segv), Case(options: [], fault: .term),
            Case(options: [], fault: .oom),
        ].filter { $0.fault == .term || DeathTests.mortal.contains($0.fault) }

    @Test(arguments: cases)
    func aRightProgramPasses(_ one: Case) async throws {
        try await place.killTest(
            Self.checked + Self.left(80) + one.options
                + ["--iterations", "3", "--fault", one.fault.rawValue] + Self.saves, exits: 0)
        let rows = try place.rows()
        #expect(rows.map(\.fault) == Array(repeating: one.fault.rawValue, count: 3))
        rows.all { $0.verdict != .fail }
        #expect(rows.contains { $0.verdict == .pass }, "\(rows.map(\.reason))")
    }

    @Test func itsGatesAreDecided() async throws {
        try await place.killTest(
            Self.checked + Self.left(80) + [
                "--iterations", "3", "--gate", "recovery_seconds.max <= 120", "--gate",
                "violation_rate.ucb95 < 90%",
            ] + Self.saves, exits: 0)
        let gate = "recovery_seconds.max <= 1ms"
        try await rig("judge", "run", "--gate", gate, "-v", in: place, exits: 99).prints(gate)
        try await Workplace().killTest(
            Self.checked + ["--iterations", "3", "--gate", "violation_rate.ucb95 < 50%"]
                + Self.saves, exits: 64, complains: "needs >= 5 iterations")
    }

    @Test func eachCallIsHitBeforeItAndAfterIt() async throws {
        try await place.killTest(
            Self.checked + Self.left(2) + ["--trigger", "syscall", "--exhaustive"] + Self.saves,
            exits: 0)
        let rows = try place.rows()
        rows.all { $0.verdict == .pass }
        let calls = max(1, rows.count / 2)
        #expect(Set(rows.map(\.planned)) == Set((1...calls).flatMap { ["\($0)", "\($0):after"] }))
        // Of each note it writes, syncs and renames a file, and syncs the folder.
        #expect(calls >= 8)
    }

    // MARK: Parts, and the rest of a run

    /// Each part would count the lines for itself, so kills come by the clock.
    @Test func partsAreJudgedTogether() async throws {
        for slice in ["slice:1/2", "slice:2/2"] {
            try await place.killTest(
                Self.checked + Self.left(80) + ["--iterations", "4", "--partition", slice]
                    + Self.saves, exits: 0)
        }
        try await rig("judge", "run", "--expect", "2", in: place, exits: 0)
        let rows = try place.rows()
        #expect(rows.map(\.iteration) == [1, 2, 3, 4])
        rows.all { $0.trigger == "time" && $0.workload == "check" }
        rows.all { $0.verdict != .fail }
    }

    @Test func aRunWhoseRigWasKilledIsFinished() async throws {
        try await rig.end(
            ["kill-test", "--out", "run", "--iterations", "8"] + Workplace.gateOfFewRows
                + Self.checked + Self.saves, in: place, by: SIGKILL, exits: nil,
            once: "some rows are there"
        ) { (try? place.rows().count) ?? 0 > 2 }
        try await rig("resume", "run", in: place, exits: 0, complains: "rows are kept")
        let rows = try place.rows()
        #expect(rows.map(\.iteration) == Array(1...8))
        rows.all { $0.verdict != .fail }
    }

    // MARK: A program that is replaced

    /// An upgrade during a run mixed the rows of two versions, and the run passed.
    ///
    /// Here the check changes the program.
    @Test(arguments: [[], ["--partition", "slice:1/1"]])
    func aProgramThatIsReplacedMeanwhileIsNoPass(options: [String]) async throws {
        try "echo one > \"$1/log\"; sleep 0.2\n".save(as: "work.sh", in: place)
        let script = place.path("work.sh")
        let outcome = try await place.killTest(
            ["--seed", "4", "--iterations", "3", "--trigger", "time"] + options + [
                "--check", "echo '# more' >> '\(script)'; test -d {dir}", "--", "/bin/sh", script,
                "{dir}",
            ])
        // Of a part the rows are there, which is all that is asked of it.
        let isPart = !options.isEmpty
        #expect(outcome.exitCode == (isPart ? 0 : 98), "\(outcome.output)\(outcome.complaint)")
        try await rig("judge", "run", in: place, exits: 98)
        #expect(try place.manifest().replaced == [script])
        try place.rows(3).all { $0.verdict == .pass }
        if !isPart {
            let summary = try place.text("run/summary.json")
            #expect(summary.contains("changed during the run: its rows are of two versions"))
        }
    }

    // MARK: A program with a daemon

    private static let hidden = "env -i PATH=\"$PATH\" setsid"

    /// What a server's script had started out of its group went on after the kill, and each row
    /// failed by `leftover`, so that PostgreSQL could not be tried.
    ///
    /// The check refuses a folder in which something still writes.
    @Test(
        arguments: Nightly.cases(
            [
                (hidden, "sigkill"), (hidden, "term"), ("setsid", "power-cut-torn"),
                ("setsid", "sigkill"), ("setsid", "segv"),
            ], usual: 3))
    func aDaemonDiesWithItsScript(start: String, fault: String) async throws {
        let script = """
            (\(start) sh -c '
                echo $$ > "$0/id"
                while :; do echo on >> "$0/log"; sleep 0.005; done' "$1" > /dev/null 2>&1 &)
            until [ -s "$1/log" ]; do sleep 0.01; done
            echo up; sleep 0.5; kill $(cat "$1/id")
            """
        try await place.killTest(
            [
                "--seed", "4", "--iterations", "3", "--trigger", "said", "--at", "1", "--fault",
                fault,
                "--no-relaunch", "--check",
                "n=$(cat {dir}/log | wc -c); sleep 0.2; [ $n = $(cat {dir}/log | wc -c) ]", "--",
                "/bin/sh", "-c", script, "sh", "{dir}",
            ], exits: 0)
        let rows = try place.rows(3)
        rows.all { $0.checkers.isEmpty }
        #expect(rows.contains { $0.verdict == .pass }, "\(rows.map(\.reason))")
    }

    // MARK: A wrong program

    /// Begins anew at each start, and says each line before it is written.
    private static let says = [
        "--seed", "4", "--trigger", "said", "--check",
        "[ $(wc -l < {said}) -le $(cat {dir}/log | wc -l) ]",
    ]
    private static let hasty = [
        "--", "/bin/sh", "-c",
        "rm -f \"$1/log\"; for n in 1 2 3 4 5; do echo $n; sleep 0.05; echo $n >> \"$1/log\"; done",
        "sh", "{dir}",
    ]

    /// The relaunch writes everything anew, before the check looks.
    @Test(arguments: [(["--check-before"], 99), ([], 0)])
    func whatARelaunchMakesGoodIsFoundBeforeIt(options: [String], code: Int) async throws {
        let outcome = try await place.killTest(
            Self.says + ["--at", "2", "--iterations", "3"] + options + Self.hasty)
        #expect(outcome.exitCode == Int32(code), "\(outcome.output)\(outcome.complaint)")
        let rows = try place.rows()
        let expected: Set<Checker> = code == 99 ? [.check] : []
        #expect(rows.count == 3)
        rows.all { $0.checkers == expected }
        #expect(rows.contains { $0.reason.contains("before the relaunch") } == (code == 99))
        #expect(outcome.output.contains("not checked") == (code == 0), "\(outcome.output)")
    }

    @Test func aFailureIsMadeSmallerAndItsCommandFails() async throws {
        try await place.killTest(
            Self.says + ["--at", "3", "--iterations", "1", "--no-relaunch"] + Self.hasty, exits: 99)
        let replayed = try await rig(
            "replay", "run", "--iteration", "1", "--times", "1", "--shrink", in: place, exits: 99)
        #expect(replayed.output.hasPrefix("REPRODUCED  1 of 1, by check\n"))
        let command = try place.text("run/evidence/program-1-1/shrunk.txt")
        #expect(command.contains("--trigger said --at 1 "), "\(command)")
        try await Programs.run(
            "/bin/sh", ["-c", "PATH=\"$1:$PATH\"; \(command)", "sh", Programs.folder],
            in: place.url, exits: 99)
    }
}
