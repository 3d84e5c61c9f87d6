import Foundation
import RigModel
import Testing

@testable import RigLab
@testable import RigVerdict

/// Programs that cannot be tested: each ends in a clear error, and no process is left running.
@Suite struct BadWorkerTests {
    private let place = Workplace()

    @Test func oneThatDoesItsWorkIsTaken() async throws {
        let worker = ForeignWorker.script("exec curl -sS -C - -o \"$3\" \"$1\"")
        #expect(try await worker.objection(in: place) == nil)
        #expect(try place.processes().isEmpty)
    }

    /// With a relative path for the run's folder, the worker's files had relative paths too.
    ///
    /// They were looked for in another place, and counted as lost.
    @Test func aProgramIsGivenWholePathsWhateverTheRunsFolderIsCalled() async throws {
        try await place.killTest(
            "--worker", "curl-unbuffered", "--iterations", "3", "--trigger", "bytes", "--at",
            "2MB", "--video-size", "4MB", "--seed", "3", exits: 0)
        for row in try place.rows() {
            // On a busy machine one read may not be written yet.
            let received = try #require(row.receivedBytes)
            let recovered = try #require(row.recoveredBytes)
            #expect(recovered > 0 && (0...102_400).contains(received - recovered))
        }
        try await rig(
            "kill-test", "--out", "told", "--iterations", "1", "--", "/bin/sh", "-c",
            "echo dir=$1 output=$2; exit 3", "sh", "{dir}", "{output}", "{url}", in: place
        ).complains("dir=/").complains("output=/")
    }

    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let script: String
        let says: String

        init(_ name: String, _ script: String, says: String) {
            (testDescription, self.script, self.says) = (name, script, says)
        }
    }

    static let cases = [
        Case(
            "exits at once", "echo no such thing >&2; exit 3",
            says: "when it is not killed: no such thing (exit code 3)"),
        Case("dies at once", "kill -SEGV $$", says: "when it is not killed: signal 11"),
        Case(
            "leaves no file", "curl -s -o /dev/null \"$1\"; echo done",
            says: "it ended with exit code 0 and left no file "),
        Case(
            "stops early", "curl -s -r 0-99999 -o \"$3\" \"$1\"",
            says: "it ended with exit code 0, and its file ends after 97.7 KB of 2.0 MB"),
        Case(
            "stops a byte early", "curl -s -r 0-2099998 -o \"$3\" \"$1\"",
            says: "its file ends 1 byte too early"),
        Case(
            "leaves an empty file", "curl -s -o /dev/null \"$1\"; : > \"$3\"",
            says: "its file is empty"),
        Case(
            "shifts all", "(printf x; curl -s \"$1\") > \"$3\"",
            says: " bytes of its file are unlike the video's, the first at 0"),
        Case(
            "makes bytes up", "curl -s -o \"$3\" \"$1\"; printf x >> \"$3\"",
            says: "1 byte of its file is unlike the video's"),
        Case(
            "ignores the URL", "echo content > \"$3\"",
            says: "the worker script never asked for http://127.0.0.1:"),
        Case(
            "becomes a daemon",
            """
            setsid sh -c ': > "$0/up"; sleep 1000; :' "$2" > /dev/null 2>&1 &
            until [ -e "$2/up" ]; do sleep 0.01; done
            """,
            says: "running; run it in the foreground"),
        Case(
            "goes into the background", "curl -s -o \"$3\" \"$1\" & sleep 1000 & wait %1",
            says: " (sleep) running; run it in the foreground"),
        Case(
            "leaves a helper behind",
            "setsid sleep 1000 > /dev/null 2>&1 & curl -s -o \"$3\" \"$1\"",
            says: " (sleep) running; run it in the foreground"),
    ]

    @Test(arguments: cases)
    func anotherIsRefusedAndNothingIsLeft(bad: Case) async throws {
        var worker = ForeignWorker.script(bad.script)
        worker.videoLength = 2_100_000
        let objection = try #require(try await worker.objection(in: place))
        #expect(objection.status == .unavailable)
        #expect(objection.message.contains(bad.says), "\(objection)")
        #expect(try place.processes().isEmpty)
    }

    @Test(arguments: [
        "while :; do curl -s -o \"$3\" \"$1\"; done",
        "trap '' TERM; while :; do sleep 0.01; done",
    ])
    func oneThatNeverEndsIsEnded(script: String) async throws {
        var worker = ForeignWorker.script(script)
        worker.timeLimitSeconds = 1
        let objection = try #require(try await worker.objection(in: place))
        #expect(objection.status == .unavailable)
        #expect(objection.message.contains("it did not end within 1 s"), "\(objection)")
        #expect(try place.processes().isEmpty)
    }

    @Test func oneThatGetsNowhereIsEnded() async throws {
        var worker = ForeignWorker.script("curl -s -o \"$3\" \"$1\"; exec sleep 1000")
        worker.patienceSeconds = 1
        let objection = try #require(try await worker.objection(in: place))
        #expect(objection.message.contains("it made no progress for 1 s"), "\(objection)")
    }

    /// It was told to need `--for`, as if it did not end by itself.
    @Test func oneThatACheckJudgesIsToldToSaySomething() async throws {
        var worker = ForeignWorker(
            profile: WorkerProfile(
                name: "script", command: ["/bin/sh", "-c", "exec sleep 1000", "sh", "{dir}"],
                check: ProgramCheck("test -d {dir}")))
        worker.patienceSeconds = 1
        let objection = try #require(try await worker.objection(in: place))
        let words =
            "it made no progress for 1 s; a program that does not end by itself needs --for 2s; one"
            + " that works in silence has to say a line now and then, or let a file grow"
        #expect(objection.message.contains(words), "\(objection)")
    }

    /// It works unharmed, but never recovers from a kill.
    @Test func oneThatNeverEndsAfterAKillFailsItsRow() async throws {
        var worker = ForeignWorker.script(
            "[ -e \"$2/seen\" ] && exec sleep 1000; touch \"$2/seen\";"
                + "exec curl -s -o \"$3\" \"$1\"")
        worker.timeLimitSeconds = 3
        #expect(try await worker.objection(in: place) == nil)
        let evidence = try #require(try await worker.kill(at: 1 << 20, in: place))
        #expect(evidence.death == .signaled(9))
        #expect(evidence.killSent)
        #expect(evidence.resumption?.complaint == "did not end within 3 s")
        #expect(evidence.resumption?.endedWell == false)
        let details = EvidenceChecker.completion.details(JudgedKill(evidence))
        #expect(details.contains { $0.contains("did not end within 3 s") }, "\(details)")
        #expect(try place.processes().isEmpty)
    }

    /// The worker's page reports a request far beyond the video.
    ///
    /// Such rows used to prove nothing, and a worker could lose anything in one of ten.
    @Test func oneWhosePageSaysWhatCannotBeFailsItsRow() async throws {
        let script = """
            python3 - "$RIG_WITNESS" <<'END'
            import struct, sys
            with open(sys.argv[1], "r+b") as page:
                page.seek(8); page.write(struct.pack("<III", 3, 1023, 3))
                page.seek(32); page.write(struct.pack("<Q", 1))
                page.seek(256); page.write(struct.pack("<QQQQQQQ", 2, 0, 1 << 40, 9, 0, 1, 1))
                page.seek(0); page.write(b"RIGWITN1")
            END
            exec curl -sS -o "$3" "$1"
            """
        let worker = ForeignWorker.script(script, writesWitness: true)
        let evidence = try #require(try await worker.kill(at: 1 << 20, in: place))
        #expect(evidence.death == .signaled(9))
        let judgement = Judge.judge(evidence)
        #expect(judgement.verdict == .fail)
        #expect(
            judgement.reason.contains("ledger: the witness page says what cannot be"),
            "\(judgement.reason)")
        #expect(judgement.figures.received == evidence.sockets?.received)
    }

    /// A worker that never reached its kill used to be inconclusive, and did not fail its run.
    @Test func oneThatIsGivenUpBeforeItsKillHangs() async throws {
        var worker = ForeignWorker.script(
            "[ -e \"$2/seen\" ] || { touch \"$2/seen\"; exec sleep 1000; };"
                + "exec curl -s -o \"$3\" \"$1\"")
        worker.timeLimitSeconds = 2
        let evidence = try #require(try await worker.kill(at: 1 << 20, in: place))
        #expect(!evidence.killSent)
        let judgement = Judge.judge(evidence)
        #expect(judgement.verdict == .fail)
        #expect(judgement.reason == "hang: the worker did not end within 2 s")
    }

    /// As a user runs it: the program follows `--`.
    ///
    /// `MistakeTests` has what else is said then.
    @Test func theCommandLineSaysSoAndNothingIsLeft() async throws {
        try await place.killTest(
            "--iterations", "2", "--trigger", "bytes", "--", "/bin/sh", "-c",
            "setsid sleep 1000 > /dev/null 2>&1 & curl -s -o \"$2\" \"$1\"", "sh", "{url}",
            "{output}", exits: RigModel.ExitStatus.unavailable.rawValue,
            complains: " (sleep) running; run it in the foreground")
        #expect(!place.has("run"))
        #expect(try place.processes().isEmpty)
    }

    @Test(arguments: ["0", "-1", "nan", "soon"])
    func aTimeLimitThatIsNoneIsRefused(text: String) async throws {
        try await place.killTest(
            "--time-limit=\(text)", exits: RigModel.ExitStatus.usage.rawValue,
            complains: "--time-limit")
    }

    /// Its helper ends with it if it ends by itself, but outlives its kill.
    @Test func whatOutlivesAKillIsFoundAndEnded() async throws {
        let worker = ForeignWorker.script(
            """
            setsid sleep 1000 & helper=$!
            until grep -q sleep /proc/$helper/comm; do sleep 0.01; done
            curl -s -o "$3" "$1"; kill $helper
            """)
        #expect(try await worker.objection(in: place) == nil)
        let evidence = try #require(try await worker.kill(at: 1 << 20, in: place))
        #expect(evidence.outlived.count == 1 && evidence.outlived[0].hasPrefix("sleep ("))
        #expect(Judge.judge(evidence).findings.map(\.checker) == [.leftover])
        #expect(try place.processes().isEmpty)
    }
}
