import Foundation
import Glibc
import RigModel
import TestSupport
import Testing

/// An honest worker on an odd machine, or under an odd caller, gets no failure.
///
/// What a shell, a service manager or a container has set reached the worker's row: without
/// loopback, and with one iteration, the rig ended with 99, against the worker.
@Suite struct OddMachineTests {
    private let place = Workplace()

    /// One kill of a small download, by bytes: no run would be measured for it.
    private static let oneKill = [
        "kill-test", "--out", "run", "--iterations", "1", "--video-size", "3MB", "--seed", "1",
        "--trigger", "bytes",
    ]

    /// Runs the rig as the child of a shell that has prepared itself.
    private func rig(
        after preparation: String, _ arguments: [String], in place: Workplace,
        meanwhile: @Sendable (pid_t) async throws -> Void = { _ in }
    ) async throws -> Programs.Outcome {
        try await Programs.run(
            "/bin/bash", ["-c", preparation + #"; exec "$0" "$@""#, Programs.rig] + arguments,
            in: place.url, meanwhile: meanwhile)
    }

    /// No row, and an error of the rig's own that names the cause.
    private func expectRefusal(
        _ outcome: Programs.Outcome, _ status: RigModel.ExitStatus, says: String,
        in place: Workplace
    ) throws {
        #expect(outcome.exitCode == status.rawValue, "\(outcome.output)\(outcome.complaint)")
        outcome.complains(says)
        for advice in ["make its command work", "free some space"] {
            #expect(!outcome.complaint.contains(advice), "\(outcome.complaint)")
        }
        if status.isRefusal {
            // It leaves no folder.
            #expect(!place.has("run"))
        } else {
            #expect(try place.rows().isEmpty)
        }
    }

    // MARK: What the machine refuses

    @Test(.enabled(if: getuid() == 0), arguments: [oneKill, oneKill + ["--tls"], ["serve"]])
    func withoutLoopbackNothingIsJudged(words: [String]) async throws {
        try await Programs.run(
            "/usr/bin/unshare", ["-rn", Programs.rig] + words, in: place.url, exits: 69
        ).complains("the rig cannot reach its own origin at 127.0.0.1:")
            .complains("Network is unreachable")
    }

    /// The messages were "cannot start; fetch again to continue" and "cannot start; install it".
    @Test(
        .enabled(if: geteuid() == 0, "hiding a library needs root"),
        arguments: [
            ("downloader", ["fetch", "http://127.0.0.1:1/v", "--cache", "c"]),
            ("rig", ["kill-test", "--video", "http://127.0.0.1:1/v", "--iterations", "1"]),
        ])
    func aMissingLibraryIsNamed(program: String, words: [String]) async throws {
        let hidden = """
            library=$(ldconfig -p | sed -n 's/.*libcurl[.]so[.]4 .*=> //p' | head -n 1)
            mount --bind /dev/null "$(readlink -f "$library")" && exec "$0" "$@"
            """
        let outcome = try await Programs.run(
            "/usr/bin/unshare",
            ["-m", "bash", "-c", hidden, "\(Programs.folder)/\(program)"] + words,
            in: place.url, exits: 69
        ).complains("libcurl.so.4: ").complains("apt-get install libcurl4")
        #expect(!outcome.complaint.contains("fetch again"))
    }

    /// As in a bare chroot: the library that starts programs ended the rig by SIGILL.
    @Test(
        .enabled(if: geteuid() == 0, "hiding /dev needs root"),
        arguments: [
            ["kill-test", "--iterations", "1"],
            ["audit", "--", "curl", "-o", "{output}", "{url}"],
        ])
    func withoutDevicesNothingIsStarted(words: [String]) async throws {
        try await Programs.run(
            "/usr/bin/unshare",
            ["-m", "sh", "-c", "mount -t tmpfs none /dev && exec \"$0\" \"$@\"", Programs.rig]
                + words, in: place.url, exits: 69, complains: "mknod -m 666 /dev/null")
        #expect(!place.has("results"))
    }

    /// A system call that the kernel refuses to a program and all that it starts.
    struct Refused: Sendable, CustomTestStringConvertible {
        let testDescription: String
        /// The instructions of the filter, as `code, true, false, constant`.
        let filter: String
        let options: [String]
        let status: RigModel.ExitStatus
        let says: String
    }

    /// The numbers are those of x86-64.
    static let refused = [
        Refused(
            testDescription: "shared mappings of files",
            filter: """
                (32,0,0,0),(21,0,5,9),(32,0,0,40),(69,0,3,1),(69,2,0,32),(6,0,0,0x50001),\
                (6,0,0,0x7fff0000),(6,0,0,0x7fff0000)
                """, options: [], status: .unavailable, says: "cannot share the memory of "),
        // Threads are allowed: a new clone3 is unknown, so that clone tells which of them it makes.
        Refused(
            testDescription: "processes",
            filter: """
                (32,0,0,0),(21,6,0,435),(21,6,0,57),(21,5,0,58),(21,0,2,56),(32,0,0,16),\
                (69,0,2,0x10000),(6,0,0,0x7fff0000),(6,0,0,0x50026),(6,0,0,0x5000b)
                """, options: [], status: .failure, says: "allow more processes (ulimit -u"),
        Refused(
            testDescription: "ptrace", filter: call(101), options: ["--trigger", "syscall"],
            status: .permission, says: "trace another: ptrace: Operation not permitted"),
        Refused(
            testDescription: "process_vm_readv", filter: call(310),
            options: ["--fault", "power-cut-torn"], status: .permission,
            says: "process_vm_readv: Operation not permitted"),
    ]

    private static func call(_ number: Int) -> String {
        "(32,0,0,0),(21,1,0,\(number)),(6,0,0,0x7fff0000),(6,0,0,0x50001)"
    }

    /// Installs a filter (`seccomp(2)`), and becomes the program.
    private static let filtering = """
        import ctypes, os, struct, sys
        code = eval("[" + sys.argv[1] + "]")
        bytes = ctypes.create_string_buffer(b"".join(struct.pack("HBBI", *i) for i in code))
        class Program(ctypes.Structure):
            _fields_ = [("length", ctypes.c_ushort), ("code", ctypes.c_void_p)]
        library = ctypes.CDLL(None, use_errno=True)
        address = ctypes.cast(bytes, ctypes.c_void_p).value
        assert library.prctl(38, 1, 0, 0, 0) == 0
        assert library.prctl(22, 2, ctypes.byref(Program(len(code), address)), 0, 0) == 0
        os.execv(sys.argv[2], sys.argv[2:])
        """

    #if arch(x86_64)
        @Test(arguments: refused)
        func whatTheKernelRefusesIsNamed(refused: Refused) async throws {
            let place = Workplace()
            let outcome = try await Programs.run(
                "/usr/bin/python3",
                ["-c", Self.filtering, refused.filter, Programs.rig]
                    + Self.oneKill.filter { $0 != "--trigger" && $0 != "bytes" }
                    + refused.options,
                in: place.url, exits: refused.status.rawValue
            ).complains(refused.says)
            for advice in ["make its command work", "free some space", "writable"] {
                #expect(!outcome.complaint.contains(advice), "\(outcome.complaint)")
            }
        }
    #endif

    /// The reference worker is not held to its work, so that its bugs can be judged, and a kill by
    /// bytes needs no measured run: what kept it from working was a row, against the worker.
    ///
    /// Here it is `pwrite`, which SQLite uses, and the rig does not.
    #if arch(x86_64)
        @Test func aWorkerThatCannotWorkHereIsNoRow() async throws {
            let filter = Self.call(18).replacing("0x50001", with: "0x50005")
            try await Programs.run(
                "/usr/bin/python3",
                ["-c", Self.filtering, filter, Programs.rig] + Self.oneKill, in: place.url,
                exits: 69, complains: "does not complete the video")
            #expect(!place.has("run"))
        }
    #endif

    // MARK: What the caller limits

    @Test func aLimitOfFileSizeIsTheCallers() async throws {
        let outcome = try await rig(after: "ulimit -f 1024", Self.oneKill, in: place)
        try expectRefusal(
            outcome, .unavailable, says: "a limit of 1.0 MB for the size of a file (ulimit -f)",
            in: place)
    }

    /// Beside its download it writes a file of 60 MB, which the limit of 40 MB forbids: in its
    /// unharmed life, or only when it resumes.
    @Test(arguments: ["true", "test -e part"])
    func aWorkerThatDiesOfTheCallersLimitHasNotFailed(when: String) async throws {
        let script =
            "if \(when); then head -c 60000000 /dev/zero > big; fi; "
            + "curl -q -sS -N -C - -o part \"$0\" && mv part \"$1\" && rm -f big"
        try """
        name: mine
        command: [bash, -ec, '\(script)', "{url}", "{output}"]
        cwd: "{dir}"
        """.save(as: "mine.yml", in: place)
        let outcome = try await rig(
            after: "ulimit -f 40000",
            Self.oneKill + ["--worker", "./mine.yml", "--gate", "violations == 0"], in: place)
        let says = "a limit of 39.1 MB for the size of a file (ulimit -f)"
        guard when != "true" else {
            return try expectRefusal(outcome, .unavailable, says: says, in: place)
        }
        let row = try #require(try place.rows().first)
        #expect(row.verdict == .inconclusive, "\(outcome.output)\(outcome.complaint)")
        #expect(row.reason.contains(says), "\(row.reason)")
    }

    @Test func aLimitOfProcessorTimeIsTheCallers() async throws {
        let outcome = try await rig(
            after: "ulimit -S -t 2",
            Self.oneKill + ["--", "/bin/bash", "-c", "while :; do :; done", "{url}", "{output}"],
            in: place)
        try expectRefusal(
            outcome, .unavailable, says: "a limit of 2 s of processor time (ulimit -t)", in: place)
    }

    /// With `--check` the advice was to make the command work on its own.
    ///
    /// `ulimit -t` is the hard limit as well, at which the kernel sends signal 9.
    @Test func aCheckedProgramIsToldOfTheCallersLimit() async throws {
        let outcome = try await rig(
            after: "ulimit -t 2",
            [
                "kill-test", "--out", "run", "--iterations", "1", "--seed", "1", "--trigger",
                "time", "--check", "test -d {dir}", "--", "/bin/bash", "-c",
                "while :; do :; done", "bash", "{dir}",
            ], in: place)
        try expectRefusal(
            outcome, .unavailable, says: "a limit of 2 s of processor time (ulimit -t)", in: place)
    }

    @Test func aLimitThatTheWorkerSetsItselfIsItsOwn() async throws {
        let script =
            "if test -e part; then ulimit -f 100; head -c 9000000 /dev/zero > big; fi; "
            + "curl -q -sS -N -C - -o part \"$0\" && mv part \"$1\""
        try """
        name: mine
        command: [bash, -ec, '\(script)', "{url}", "{output}"]
        cwd: "{dir}"
        """.save(as: "mine.yml", in: place)
        try await rig(after: "true", Self.oneKill + ["--worker", "./mine.yml"], in: place).exits(99)
        let row = try #require(try place.rows().first)
        #expect(row.verdict == .fail)
        #expect(row.reason.contains("exit code 153"), "\(row.reason)")
    }
}
