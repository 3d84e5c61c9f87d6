import Foundation
import RigModel
import TestSupport
import Testing

/// What becomes of the work when the killed worker is started again more than once.
@Suite struct RelaunchTests {
    private let place = Workplace()

    /// A downloader in Python that appends to its file, as `curl -C - -o FILE` does.
    ///
    /// `unlocked` is what it does when another instance holds the lock, and `complete` when nothing
    /// is left to fetch. Where it is started twice, it fetches the rest once the other instance has
    /// asked for the lock, however late a busy machine starts that one.
    private static func downloader(
        unlocked: String, complete: String = "sys.exit(0)", twice: Bool = false
    ) -> String {
        """
        import fcntl, os, sys, time, urllib.error, urllib.request
        url, output = sys.argv[1:]
        have = os.path.getsize(output) if os.path.exists(output) else 0
        lock = open(output + ".lock", "w")
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            while \(twice ? "have" : "False") and not os.path.exists(output + ".asked"):
                time.sleep(0.01)
        except BlockingIOError:
            open(output + ".asked", "w").close()
            \(unlocked)
        ask = urllib.request.Request(url, headers={"Range": f"bytes={have}-"})
        try:
            answer = urllib.request.urlopen(ask)
        except urllib.error.HTTPError as error:
            if error.code != 416:
                raise
            \(complete)
        with open(output, "ab", buffering=0) as file:
            while block := answer.read(1 << 16):
                file.write(block)
        """
    }

    /// Kills a downloader at half of a video, where the origin holds back the rest.
    private func killed(
        _ relaunch: String, _ worker: String, options: [String] = [], exits code: Int32? = 99,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> [IterationRow] {
        try worker.save(as: "worker.py", in: place)
        try await rig(
            [
                "kill-test", "--relaunch", relaunch, "--trigger", "bytes", "--at", "1MB",
                "--iterations", "1", "--video-size", "2MB", "--bandwidth", "4MB/s", "--seed",
                "2", "--out", "run",
            ] + options, "--", "python3", place.path("worker.py"), "{url}", "{output}",
            in: place, exits: code, sourceLocation: sourceLocation)
        return try place.rows()
    }

    @Test(arguments: [Relaunch.again, .twice, .other])
    func theDownloaderKeepsItsWork(relaunch: Relaunch) async throws {
        try await place.killTest(
            "--relaunch", relaunch.rawValue, "--trigger", "bytes", "--iterations", "4",
            "--video-size", "4MB", "--seed", "3", exits: 0)
        #expect(try place.rows().map(\.reason) == ["", "", "", ""])
    }

    /// Without a lock both instances append the same bytes.
    @Test func twoInstancesThatAppendAreCaught() async throws {
        let rows = try await killed("twice", Self.downloader(unlocked: "pass", twice: true))
        #expect(rows.contains { $0.checkers.contains(.completion) }, "\(rows.map(\.reason))")
        rows.all { $0.recoveredBytes == nil && $0.lostBytes == nil }
    }

    /// Started once, the same program loses nothing: the second instance is what spoils it.
    @Test func aSingleInstanceThatAppendsIsRight() async throws {
        let rows = try await killed("once", Self.downloader(unlocked: "pass"), exits: nil)
        #expect(rows.map(\.reason) == [""])
    }

    /// 128 is the number of no signal.
    @Test(arguments: [75, 128])
    func oneMayRefuseToRunBesideTheOther(code: Int) async throws {
        let rows = try await killed(
            "twice", Self.downloader(unlocked: "sys.exit(\(code))", twice: true), exits: nil)
        #expect(rows.map(\.verdict) == [.pass], "\(rows.map(\.reason))")
    }

    /// A shell in front of a program reports the signal by its exit code.
    @Test(arguments: [
        ("os.abort()", Checker.crash, []), ("sys.exit(139)", .exit, []),
        ("time.sleep(1000)", .hang, ["--time-limit", "6"]),
    ])
    func theSecondInstanceMayNeitherCrashNorHang(
        does: String, checker: Checker, options: [String]
    ) async throws {
        let rows = try await killed(
            "twice", Self.downloader(unlocked: does, twice: true), options: options)
        rows.all { $0.checkers.contains(checker) }
        #expect(rows[0].reason.contains("the other instance of the relaunched worker"))
    }

    /// Two that both refuse leave the work undone.
    @Test func bothMayNotRefuse() async throws {
        let refuses = """
            import os, sys
            if os.path.exists(sys.argv[2]):
                sys.exit(75)

            """
        let rows = try await killed("twice", refuses + Self.downloader(unlocked: "pass"))
        rows.all { $0.checkers.contains(.exit) }
    }

    /// A launch after the work was done must not undo it.
    @Test func aCompleteFileThatIsTruncatedIsCaught() async throws {
        let worker = Self.downloader(
            unlocked: "pass", complete: "open(output, 'wb').close(); sys.exit(0)")
        let rows = try await killed("again", worker)
        #expect(rows.map(\.checkers) == [[.exit]], "\(rows.map(\.reason))")
        #expect(rows[0].reason.contains("launched again after its work was done"))
    }

    /// The same program goes on in the file that it finds, and never asks of what video that is.
    @Test func whatIsLeftOfAnotherVideoIsFoundInTheFile() async throws {
        let rows = try await killed("other", Self.downloader(unlocked: "pass"))
        rows.all { $0.checkers.contains(.stitched) }
        #expect(
            rows[0].reason.contains("1048576 bytes of the completed file are of the video before"))
    }

    /// A program that calls the first video the second has fetched nothing.
    @Test func theVideoBeforeIsNotAnotherOne() async throws {
        let worker = """
            import os, sys
            if os.path.exists(sys.argv[2]):
                sys.exit(0)

            """
        let rows = try await killed("other", worker + Self.downloader(unlocked: "pass"))
        rows.all { $0.checkers.isSuperset(of: [.completion, .stitched]) }
    }
}
