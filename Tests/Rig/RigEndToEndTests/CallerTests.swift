import Foundation
import Glibc
import RigModel
import TestSupport
import Testing

/// What the program that starts the rig has set for it.
///
/// The rig changes what it needs and keeps the rest. Before, a caller that ignored SIGCHLD, as
/// some service managers do, made every run fail with "cannot start the worker", and `nohup` did
/// not keep a hangup away.
@Suite struct CallerTests {
    private let place = Workplace()

    private static let short = [
        "kill-test", "--out", "run", "--iterations", "2", "--video-size", "3MB", "--seed", "1",
        "--quiet", "--trigger", "bytes",
    ]

    /// Runs the rig as what a script of Python becomes after it has prepared itself.
    private func rig(
        after preparation: String, _ arguments: [String], in place: Workplace,
        environment: [String: String] = [:], exits code: Int32 = 0,
        meanwhile: @Sendable (pid_t) async throws -> Void = { _ in }
    ) async throws {
        let script =
            "import os, resource, shutil, signal, sys\n\(preparation)\n"
            + "os.execv(sys.argv[1], sys.argv[1:])"
        try await Programs.run(
            "/usr/bin/python3", ["-c", script, Programs.rig] + arguments, in: place.url,
            environment: environment, exits: code, meanwhile: meanwhile)
    }

    struct Preparation: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let script: String
        let environment: [String: String]

        init(_ name: String, _ script: String, _ environment: [String: String] = [:]) {
            (testDescription, self.script, self.environment) = (name, script, environment)
        }
    }

    static let preparations = [
        // SIGCHLD among them.
        Preparation("every signal ignored and blocked", "\(blockingAll)\n\(ignoringAll)"),
        Preparation("umask 0777", "os.umask(0o777)"),
        Preparation("standard output closed", "os.close(1)"),
        Preparation("standard error closed", "os.close(2)"),
        Preparation("all streams closed", "os.closerange(0, 3)"),
        Preparation(
            "an odd time zone, locale and priority, and no temporary folder", "os.nice(19)",
            [
                "TZ": ":/nowhere/at+25", "LC_ALL": "tr_TR.UTF-8", "LANG": "xx",
                "TMPDIR": "/nowhere/at/all",
            ]),
        Preparation("an empty environment", "os.environ.clear(); os.environ['PATH'] = os.defpath"),
    ]

    private static let blockingAll =
        "signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())"
    private static let ignoringAll = """
        for number in set(signal.valid_signals()) - {9, 19, 32, 33}:
            signal.signal(number, signal.SIG_IGN)
        """

    @Test(arguments: preparations)
    func aRunIsJudgedAsEver(preparation: Preparation) async throws {
        try await rig(
            after: preparation.script, Self.short, in: place, environment: preparation.environment)
        #expect(try place.rows().map(\.verdict) == [.pass, .pass])
    }

    /// With a mask that takes the owner's own permissions, no file could be opened again.
    @Test(.enabled(if: getuid() == 0)) func anotherUsersMaskIsNoFailure() async throws {
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o777], ofItemAtPath: place.url.path)
        try await rig(
            after: "os.umask(0o777); os.setgroups([]); os.setgid(65534); os.setuid(65534)",
            Self.short, in: place, environment: ["HOME": place.url.path])
    }

    /// The folder that the rig was started in may be gone.
    @Test func aFolderThatIsGoneIsNoFailure() async throws {
        try await rig(
            after: "os.mkdir('gone'); os.chdir('gone'); os.rmdir('../gone')",
            Self.short.map { $0 == "run" ? place.path("run") : $0 }, in: place)
    }

    /// `nohup` has a program ignore SIGHUP, and a shell the SIGINT of one in its background.
    @Test(arguments: [(SIGHUP, SIGINT), (SIGINT, SIGTERM)])
    func whatTheCallerIgnoresStaysIgnored(ignored: Int32, other: Int32) async throws {
        let many = Self.short.map { $0 == "2" ? "1000" : $0 }
        try await rig(
            after: "signal.signal(\(ignored), signal.SIG_IGN)", many, in: place, exits: 130
        ) { process in
            func rows() -> Int { (try? place.rows().count) ?? 0 }
            try await eventually("a row") { rows() > 0 }
            kill(process, ignored)
            let before = rows()
            try await eventually("the run goes on") { rows() > before + 2 }
            kill(process, other)
        }
    }

    /// A worker's own signals are as a shell has them, whatever the rig was told to ignore.
    ///
    /// The C library keeps signals 32 and 33 to itself, so those stay as they are.
    @Test(arguments: [
        ["--trigger", "bytes"], ["--trigger", "syscall"],
        ["--trigger", "bytes", "--fault", "power-cut-torn"],
    ])
    func aWorkerIsGivenTheSignalsOfAShell(options: [String]) async throws {
        let script = """
            case $(cat /proc/self/status) in
            *SigBlk:?0000000000000000?SigIgn:?0000000[01][08]0000000*) ;;
            *) grep Sig /proc/self/status >&2; exit 3 ;;
            esac
            curl -q -sS -o "$1.part" "$0" && sync "$1.part" && mv "$1.part" "$1"
            """
        try await rig(
            after: "\(Self.blockingAll)\n\(Self.ignoringAll)",
            Self.short.dropLast(2) + options + [
                "--", "/bin/sh", "-c", script, "{url}", "{output}",
            ],
            in: place)
    }
}
