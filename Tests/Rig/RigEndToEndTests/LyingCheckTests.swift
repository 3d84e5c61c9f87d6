import Foundation
import RigModel
import Testing

@testable import RigLab

/// Checks that do not check, and programs that do not do as they say: each ends as it deserves.
@Suite struct LyingCheckTests {
    private let place = Workplace()

    /// Takes a quarter of a second, and is done when the file `done` is there.
    private static let slow = "sleep 0.25; touch \"$1/done\""

    @discardableResult
    private func kill(
        _ script: String, _ more: String..., options: [String] = [],
        exits code: Int32? = nil, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> (outcome: Programs.Outcome, rows: [IterationRow]) {
        try await place.kill(
            ["/bin/sh", "-c", script, "sh", "{dir}"],
            ["--seed", "5", "--iterations", "2", "--trigger", "time"] + options + more,
            exits: code, sourceLocation: sourceLocation)
    }

    struct Refusal: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var script = LyingCheckTests.slow
        let options: [String]
        let says: String
    }

    /// Nothing is killed, and there are no rows.
    @Test(arguments: [
        Refusal(
            testDescription: "a check that always fails",
            options: ["--check", "echo no such thing {dir}; false"], says: "no such thing"),
        Refusal(
            testDescription: "a check that is not there",
            options: ["--check", "./nowhere {dir}"], says: "exit code 127"),
        Refusal(
            testDescription: "a check that hangs",
            options: ["--check", "sleep 100; test -d {dir}", "--time-limit", "2"],
            says: "did not end in time; mend the check, or the program; a check that takes longer"),
        Refusal(
            testDescription: "a check that ignores its input",
            options: ["--check", ": {dir}", "--check-sees", "rm {dir}/done"],
            says: "does not notice what --check-sees damages"),
        Refusal(
            testDescription: "a check that fails where it should refuse",
            options: [
                "--check", "test -e {dir}/done || exit 2", "--check-sees", "rm {dir}/done",
            ], says: "exit code 1 then, and the check has failed: exit code 2; have it look"),
        Refusal(
            testDescription: "a check of what is said that looks at nothing",
            options: [
                "--check", "for n in $(cat {said}); do test -e {dir}/done; done",
                "--check-sees", "rm {dir}/done", "--said", "none",
            ], says: "{said} is empty: --said none"),
        Refusal(
            testDescription: "damage that cannot be done",
            options: ["--check", "test -e {dir}/done", "--check-sees", "rm {dir}/other"],
            says: "--check-sees must damage {dir}"),
        Refusal(
            testDescription: "a preparation that fails",
            options: ["--check", "test -d {dir}", "--prepare", "cp nothing {dir}"],
            says: "--prepare must end with exit code 0"),
        Refusal(
            testDescription: "a program that says nothing",
            options: ["--check", "test -d {dir}", "--trigger", "said"], says: "says no line"),
        Refusal(
            testDescription: "a program that forks and goes on", script: "setsid sleep 5 & exit 0",
            options: ["--check", "test -d {dir}"], says: "run it in the foreground"),
        Refusal(
            testDescription: "a program that refuses to do its work twice",
            script: "mkdir \"$1/data\" && sleep 0.2", options: ["--check", "test -d {dir}"],
            says: "is started again where its work is done, which no kill did: mkdir"),
        Refusal(
            testDescription: "a check that allows the work to be done once",
            script: "echo 1 >> \"$1/log\"; sleep 0.2",
            options: ["--check", "[ $(cat {dir}/log | wc -l) -le 1 ]"],
            says: "not when the program is started again there, which no kill did: it ended with"),
        Refusal(
            testDescription: "a program that fails unharmed",
            script: "echo broken >&2; exit 3", options: ["--check", "test -d {dir}"],
            says: "does not complete the work when it is not killed: broken (exit code 3)"),
    ])
    func isRefusedBeforeTheFirstKill(_ refusal: Refusal) async throws {
        let (outcome, _) = try await kill(refusal.script, options: refusal.options, exits: 69)
        outcome.complains(refusal.says)
    }

    /// Each relaunch failed by itself, and each kill was blamed for it by `exit`.
    @Test func aProgramThatDoesItsWorkOnceIsNotStartedAgain() async throws {
        let (_, rows) = try await kill(
            "mkdir \"$1/data\" && sleep 0.3", "--check", "test -d {dir}", "--no-relaunch", exits: 0)
        rows.all { $0.verdict != .fail }
    }

    /// Without `--for` nothing was said for ten minutes, and then a word about its files.
    @Test func aProgramThatNeverEndsIsWaitedForAloud() async throws {
        let (outcome, _) = try await kill(
            "n=0; while n=$((n + 1)); do echo $n; sleep 0.1; done", "--check", "test -d {dir}",
            "--time-limit", "6", exits: 69)
        for words in [
            "waiting for an unharmed run to end, for at most 6 s (--for 2s ends it)",
            "did not end within 6 s; a program that does not end by itself needs --for 2s",
        ] {
            outcome.complains(words)
        }
    }

    @Test(.enabled(if: Confinement.isPossible))
    func aProgramThatWritesElsewhereIsToldWhereItMay() async throws {
        let (outcome, _) = try await kill(
            "touch '\(place.path("elsewhere"))'", "--check", "test -d {dir}", exits: 69)
        outcome.complains("may write only below {dir}, HOME and TMPDIR, not in /tmp or /dev/shm")
        outcome.complains("or name another place by --writable")
    }

    /// A program whose processes share a lock or memory could not be tried at all.
    @Test(
        .enabled(if: Confinement.isPossible),
        arguments: [(["--writable", "/dev/shm"], 0), ([], 69)])
    func aProgramWithSharedMemoryIsGivenIt(options: [String], code: Int) async throws {
        let shares = """
            import multiprocessing, pathlib, sys, time
            from multiprocessing import shared_memory
            memory = shared_memory.SharedMemory(create=True, size=4096)
            memory.unlink()
            with multiprocessing.Lock():
                time.sleep(0.2)
                pathlib.Path(sys.argv[1], "done").touch()
            """
        try shares.save(as: "shares.py", in: place)
        let (outcome, rows) = try await kill(
            "exec python3 '\(place.path("shares.py"))' \"$1\"", "--check", "test -d {dir}",
            options: options, exits: Int32(code))
        if code == 69 { outcome.complains("--writable") }
        rows.all { $0.verdict != .fail }
    }

    /// It was told to keep its files in `{dir}`, and has none elsewhere.
    @Test(.enabled(if: Confinement.isPossible))
    func aProgramThatOpensItsOutputAnewIsToldHowToWrite() async throws {
        let (outcome, _) = try await kill(
            "echo done > /dev/stderr", "--check", "test -d {dir}", exits: 69)
        outcome.complains("write to what is open already, >&1 or >&2")
    }

    @Test(arguments: [
        (["--trigger", "bytes"], "--trigger bytes counts what a program downloads"),
        (["--trigger", "phase"], "needs a program that tells its phases"),
        (["--origin-fault", "changed"], "--origin-fault is about a download"),
        (["--gate", "lost_bytes.max <= 1MB"], "a program that a check judges has no such figure"),
        (["--for", "soon"], "'soon' is no time"),
        (["--relaunch", "twice"], "--relaunch twice is about a download, and not with --check"),
        (["--thresholds", "1MB"], "--thresholds is about a download"),
        (["--durability", "process"], "--durability is about a download"),
        (["--video-size=3MB"], "--video-size is about a download"),
        (["--video-limit", "3MB"], "--video-limit is about a download"),
        (["--said", "none", "--trigger", "said"], "with --said none it says none"),
        (["--writable", "shm"], "--writable names a whole path"),
        (["--partition", "slice:1/2", "--trigger", "said"], "only when --at names the line"),
    ])
    func whatOnlyADownloadHasIsRefused(options: [String], says: String) async throws {
        let (outcome, _) = try await kill(
            Self.slow, "--check", "test -d {dir}", options: options, exits: 64)
        outcome.complains(says)
    }

    @Test func aCheckThatLooksAtNothingIsNamed() async throws {
        let (outcome, rows) = try await kill(Self.slow, "--check", ": {dir}", exits: 0)
        rows.all { $0.verdict == .pass }
        outcome.complains("also passes on an empty folder")
        outcome.prints("that the check notices damage")
    }

    /// It hangs only where a kill came before the end.
    @Test func aCheckThatHangsAfterAKillIsNoPass() async throws {
        let (_, rows) = try await kill(
            Self.slow, "--check", "test -e {dir}/done || sleep 100", "--no-relaunch",
            "--iterations", "1", "--time-limit", "2s", exits: 98)
        rows.all { $0.verdict == .inconclusive }
        rows.all { $0.reason.hasPrefix("the check has failed: it did not end") }
    }

    /// grep ends with 2 where its file is missing.
    ///
    /// Of the states of a modelled power cut only the first made a kill inconclusive, so 2 of 6
    /// kills passed.
    @Test func aCheckThatFailsOnALaterStateIsNoPass() async throws {
        let (_, rows) = try await kill(
            "for n in 1 2 3 4 5 6; do echo $n >> \"$1/log\"; echo $n; sleep 0.05; done",
            "--check", "for n in $(cat {said}); do grep -qx $n {dir}/log || exit 2; done",
            "--no-relaunch", "--trigger", "said", "--fault", "power-cut-torn", "--disk",
            "posix", "--states", "8", "--iterations", "3", exits: 98)
        rows.all { $0.verdict == .inconclusive }
    }

    /// "3 " of a killed launch and "1 end" of the next one were a line that neither had said.
    @Test func halfALineIsNotJoinedToTheNextLaunch() async throws {
        let (_, rows) = try await kill(
            "for n in 1 2 3 4 5 6; do printf \"$n \"; sleep 0.05; echo end; done", "--check",
            "! grep -vx '[0-9] end' {said} && test -d {dir}", "--kills", "2", exits: 0)
        rows.all { $0.verdict == .pass }
    }

    @Test func aCheckThatPrintsNothingIsAViolationAllTheSame() async throws {
        let (_, rows) = try await kill(
            Self.slow, "--check", "test -e {dir}/done", "--no-relaunch", exits: 99)
        rows.all { $0.reason == "check: it ended with exit code 1 and said nothing" }
    }

    /// It is given a copy before the relaunch, so what it writes there is not found again.
    @Test func aCheckThatWritesIntoTheFolderHelpsNobody() async throws {
        let (_, rows) = try await kill(
            "[ -e \"$1/by-the-check\" ] && exit 3; \(Self.slow)", "--check",
            "touch {dir}/by-the-check", "--check-before", exits: 0)
        rows.all { $0.verdict == .pass }
    }

    /// With a short `--for` a hang was not found: the program was asked to end, and its end
    /// counted as its own.
    ///
    /// Where it has said a line, it has its lock.
    @Test func aProgramThatWaitsForItsOldLockHangs() async throws {
        let script = """
            trap 'rmdir "$1/lock"; exit' TERM
            until mkdir "$1/lock" 2>/dev/null; do sleep 0.05; done
            n=0; while n=$((n + 1)); do echo $n >> "$1/log"; echo $n; sleep 0.01; done
            """
        let (_, rows) = try await kill(
            script, "--check", "test -d {dir}", "--for", "0.4", "--time-limit", "4",
            "--iterations", "1", "--trigger", "said", "--at", "1", exits: 99)
        rows.all { $0.checkers == [.hang] }
    }

    /// What it does not do without a kill, it need not do after one.
    @Test func aProgramThatIsIdleDoesNotHang() async throws {
        let (_, rows) = try await kill(
            "[ -e \"$1/done\" ] || { sleep 0.1; touch \"$1/done\"; }; exec sleep 100",
            "--check", "test -d {dir}", "--for", "400ms", exits: 0)
        rows.all { $0.verdict == .pass }
    }

    /// The script ends at once when it is asked to, and its server takes a moment more.
    ///
    /// One that had left the script's group was not asked, and the run was refused.
    @Test(arguments: ["", "setsid "])
    func aServerWithItsScriptIsAskedToEnd(start: String) async throws {
        let script = """
            \(start)sh -c '
                end() { sleep 0.2; echo closed >> "$0/log"; exit; }
                trap end TERM
                while :; do echo open >> "$0/log"; sleep 0.01; done' "$1" & wait
            """
        let (_, rows) = try await kill(
            script, "--check", "[ $(tail -n 1 {dir}/log) = closed ]", "--for", "400ms", exits: 0
        )
        rows.all { $0.verdict == .pass }
    }

    @Test func whatARelaunchSaysOfItsFailureIsTheReason() async throws {
        let script = """
            echo begins >&2
            [ -e "$1/lock" ] && { echo "another one is running" >&2; exit 1; }
            touch "$1/lock"; sleep 0.3; rm "$1/lock"
            """
        let (_, rows) = try await kill(script, "--check", "test -d {dir}", "--at", "0.5", exits: 99)
        let reason = "exit: the relaunched worker ended with exit code 1: another one is running"
        #expect(rows.contains { $0.reason == reason }, "\(rows.map(\.reason))")
    }

    /// What fills a buffer until its end promised nothing at any kill, and passed.
    @Test func aProgramThatSaysAllAsItEndsIsNamed() async throws {
        let (outcome, rows) = try await kill(
            "sleep 2; printf '1\\n2\\n3\\n'", "--check", "test -f {said} && test -d {dir}",
            exits: 0)
        outcome.complains("all 3 lines of an unharmed run came as it ended")
        #expect(rows.contains { $0.hasNoPromise }, "\(rows.map(\.reason))")
    }

    /// Most kills come too late for it, and none of them proves anything.
    @Test func aProgramThatEndsAtOnceIsNeverBlamed() async throws {
        let (outcome, rows) = try await kill("touch \"$1/done\"", "--check", "test -d {dir}")
        #expect([0, 98].contains(outcome.exitCode), "\(outcome.output)\(outcome.complaint)")
        rows.all { $0.verdict != .fail }
    }
}
