import RigModel
import TestSupport
import Testing

/// Workers whose disk is really full from a moment on (T13).
@Suite(.enabled(if: isPowerCutPossible, "needs root, loop devices, mkfs.ext4 and mkfs.xfs"))
struct FilledDiskTests {
    private let place = Workplace()

    private static let full = ["--fault", "disk-full"]

    /// Of a database whose log has grown once, more fits into what it has: so it is full before.
    @Test(arguments: ["rows", "file"])
    func theDownloaderStopsWithAnErrorAndGoesOnAfterwards(storage: String) async throws {
        let iterations = Nightly.rounds(4, nightly: 40)
        let outcome = try await place.killTest(
            Self.full, "--trigger", "bytes", "--at", "256KB..2MB", "--iterations",
            "\(iterations)", "--video-size", "8MB", "--bandwidth", "8MB/s", "--durability",
            "power", "--seed", "\(Nightly.seed(71))", "--set", "storage=\(storage)", exits: 0)
        let rows = try place.rows(iterations)
        rows.all { $0.fault == "disk-full" && $0.verdict != .fail && $0.realised == nil }
        let met = rows.filter { $0.verdict == .pass }
        #expect(4 * met.count >= 3 * iterations, "\(rows.map(\.reason))")
        #expect(met.allSatisfy { $0.failedCall == "exit code 74" }, "\(rows.map(\.reason))")
        outcome.prints("with exit code 74")
        #expect(devices(of: place).isEmpty)
        try await rig("judge", "run", in: place, exits: 0)
    }

    /// A script that does not look at the exit code of what it runs; it fails again when repeated.
    @Test func aFalseSuccessIsFoundAndRepeated() async throws {
        try await place.killTest(
            Self.full, "--trigger", "bytes", "--at", "1MB", "--iterations", "2", "--video-size",
            "4MB", "--seed", "73", "--", "sh", "-c", #"curl -sS -o "$1" "$0" || true"#, "{url}",
            "{output}", exits: 99)
        for row in try place.rows() {
            #expect(row.checkers == [.falseSuccess])
            #expect(
                row.reason.hasPrefix("false-success: the disk was full, and "), "\(row.reason)")
        }
        let replay = try await rig("replay", "run", "--iteration", "1", "--times", "2", in: place)
        replay.prints("reproduced  2 of 2")
        replay.prints("that no room is left")
    }

    /// What the tracer cannot fail: the kernel ends a program that writes to memory of a full disk.
    @Test func aMappedFileMeetsIt() async throws {
        try """
        import mmap, shutil, sys, urllib.request
        part = sys.argv[2] + "/part"
        with urllib.request.urlopen(sys.argv[1]) as answer, open(part, "w+b") as file:
            size = int(answer.headers["Content-Length"])
            file.truncate(size)
            with mmap.mmap(file.fileno(), size) as memory:
                while piece := answer.read(65536):
                    memory.write(piece)
        shutil.move(part, sys.argv[3])
        """.save(as: "get.py", in: place)
        let outcome = try await place.killTest(
            Self.full, "--trigger", "bytes", "--at", "1MB", "--iterations", "2", "--video-size",
            "4MB", "--seed", "74", "--", "python3", place.path("get.py"), "{url}", "{dir}",
            "{output}", exits: 0)
        for row in try place.rows() {
            #expect(row.verdict == .pass && row.failedCall == "signal 7", "\(row.reason)")
        }
        outcome.prints("then ended")
    }

    /// It ends by itself, so what it has started may still exit, as after any other launch.
    @Test func aHelperThatEndsALittleLaterIsNoFinding() async throws {
        let script = #"curl -sS -o "$1" "$0"; code=$?; setsid sleep 0.3 & exit $code"#
        try await place.killTest(
            Self.full, "--trigger", "bytes", "--at", "1MB", "--iterations", "1", "--video-size",
            "4MB", "--seed", "76", "--", "sh", "-c", script, "{url}", "{output}", exits: 0)
    }

    /// A program that had written all before is in no pass: nothing tells that it met a full disk.
    @Test func aFullDiskThatIsNotInTheWayProvesNothing() async throws {
        try await place.killTest(
            Self.full, "--trigger", "time", "--at", "0.5", "--iterations", "1", "--seed", "75",
            "--check", "test -s {dir}/data", "--", "sh", "-c", "echo 1 > $0/data; sleep 0.3",
            "{dir}", exits: 98)
        let words = "nothing tells whether the full disk was in its way"
        try place.rows().all { $0.verdict == .inconclusive && $0.reason.contains(words) }
    }
}
