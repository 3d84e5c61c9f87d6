import Foundation
import RigModel
import TestSupport
import Testing

/// Workers in which a call fails (T13).
@Suite struct FailingCallTests {
    private let place = Workplace()

    private static let options = ["--trigger", "syscall", "--fault", "call-error"]

    /// Those that no other test makes of the downloader come first.
    private static let errors: [CallError] = {
        let first: [CallError] = [.eio, .enospc, .emfile, .shortWrite, .renameEIO, .slow]
        return Nightly.cases(
            first + CallError.allCases.filter { !first.contains($0) }, usual: first.count)
    }()

    @Test(arguments: errors)
    func theDownloaderStopsWithAnErrorAndGoesOnAfterwards(error: CallError) async throws {
        let iterations = Nightly.rounds(2, nightly: 40)
        try await place.killTest(
            Self.options, "--error", error.rawValue, "--iterations", "\(iterations)",
            "--video-size", "2MB", "--durability", "power", "--seed", "\(Nightly.seed(91))",
            exits: 0)
        try place.rows(iterations).all { $0.verdict == .pass && $0.failedCall != nil }
    }

    @Test func curlStopsWithAnErrorAndGoesOnAfterwards() async throws {
        try await place.killTest(
            Self.options, "--error", "enospc", "--at", "4", "--iterations", "2", "--video-size",
            "1MB", "--seed", "92", "--worker", "curl-unbuffered", exits: 0)
        for row in try place.rows() {
            let call = try #require(row.failedCall)
            #expect(call.hasPrefix("call 4, write of "), "\(call)")
            #expect(call.hasSuffix("exit code 23"), "\(call)")
        }
    }

    /// A script that does not look at the exit code of what it runs.
    @Test func aFalseSuccessIsFoundAndRepeated() async throws {
        let outcome = try await place.killTest(
            Self.options, "--error", "eio", "--at", "3", "--iterations", "2", "--video-size",
            "1MB", "--seed", "93", "--", "sh", "-c", #"curl -sS -o "$1" "$0" || true"#, "{url}",
            "{output}", exits: 99)
        for row in try place.rows() {
            #expect(row.checkers == [.falseSuccess])
            #expect(row.reason.hasPrefix("false-success: call 3, write of "), "\(row.reason)")
        }
        let replay = try await rig("replay", "run", "--iteration", "1", "--times", "2", in: place)
        replay.prints("reproduced  2 of 2")
        // So does the command that lets just this call fail, without the run.
        let line = try #require(
            outcome.output.split(separator: "\n").first { $0.hasPrefix("One call  rig ") })
        let alone = try await Programs.run(
            "/bin/sh", ["-c", "\(Programs.rig) \(line.dropFirst("One call  rig ".count))"],
            in: place.url)
        #expect(alone.exitCode == 99, "\(line)\n\(alone.complaint)")
        alone.prints("call 3, write of ")
    }

    /// An error, then deaths, then the relaunch: a death costs no more than it may without the
    /// error (B6).
    @Test(arguments: Nightly.cases(["enospc", "eio"], usual: 1))
    func theRelaunchAfterAFailingCallIsKilled(error: String) async throws {
        let iterations = Nightly.rounds(3, nightly: 30)
        try await place.killTest(
            Self.options, "--error", error, "--kills", "3", "--iterations", "\(iterations)",
            "--seed", "\(Nightly.seed(95))", "--gate", "inconclusive_percent <= 34", exits: 0)
        let rows = try place.rows()
        #expect(rows.map(\.kill) == (0..<iterations).flatMap { _ in [1, 2, 3] })
        rows.all { $0.fault == ($0.kill == 1 ? "call-error" : "sigkill") }
        rows.all { ($0.failedCall != nil) == ($0.kill == 1) }
        rows.all { ($0.trigger == "syscall") == ($0.kill == 1) }
        let killed = rows.filter { $0.kill > 1 && $0.verdict == .pass }
        #expect(killed.count >= iterations, "\(rows.map(\.reason))")
        #expect(killed.allSatisfy { $0.boundOK == true && $0.boundBytes != nil })

        try await rig("judge", "run", in: place, exits: 0)
        let row = try #require(killed.first)
        try await rig(
            "replay", "run", "--iteration", "\(row.iteration)", "--kill", "\(row.kill)",
            "--times", "1", in: place
        ).prints("the signal, 9").prints("failed 0 of 1")
    }

    /// What its recovery loses shows only when the launch after the error is killed in it.
    ///
    /// Nine in ten of such kills show it. With this seed 10 of the 18 later kills are planned in
    /// recoveries: if only three in four show it, that none of 10 does is rarer than one in a million.
    @Test func aRecoveryThatDropsBytesIsCaughtBehindAnError() async throws {
        try await place.killTest(
            Self.options, "--error", "enospc", "--kills", "4", "--iterations", "6", "--seed",
            "20", environment: planted("recovery-drops"), exits: 99)
        let failed = try place.rows().filter { $0.verdict == .fail }
        #expect(failed.allSatisfy { $0.kill > 1 && $0.checkers.contains(.durability) })
    }

    /// Each call that can fail so, once.
    @Test func everyCallFailsOnce() async throws {
        try Data(repeating: 7, count: 100_000).save(as: "small.bin", in: place)
        try await place.killTest(
            Self.options, "--error", "fsync-eio", "--exhaustive", "--video", "small.bin",
            "--durability", "power", "--seed", "94", exits: 0)
        let rows = try place.rows()
        #expect(rows.map(\.planned) == (1...max(1, rows.count)).map { "\($0)" })
        rows.all { $0.verdict == .pass }
    }

    /// After the failed sync, or close, the power is cut: nothing that it had called safe is gone.
    @Test(
        arguments: Nightly.cases(
            AfterSync.allCases.map { ($0, CallError.fsyncEIO) }
                + AfterSync.allCases.map { ($0, CallError.closeEIO) },
            usual: AfterSync.allCases.count + 1))
    func theDownloaderBelievesNoSecondSync(after: AfterSync, error: CallError) async throws {
        let iterations = Nightly.rounds(2, nightly: 40)
        try await place.killTest(
            Self.options, "--error", error.rawValue, "--after-fsync", after.rawValue,
            "--iterations", "\(iterations)", "--video-size", "2MB", "--durability", "power",
            "--seed", "\(Nightly.seed(95))", exits: 0)
        try place.rows(iterations).all {
            $0.verdict == .pass && $0.failedCall != nil && $0.crashStates == 1
        }
    }

    /// Writes a file, syncs it twice, and says that it is saved.
    ///
    /// `retry` syncs until it succeeds, `verify` does, too, and reads the file again, and `stop` ends
    /// at the first error.
    private static let saver = """
        import os, sys
        mode, path = sys.argv[1], sys.argv[2] + "/data"
        file = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
        os.pwrite(file, b"B" * 8192, 0)
        for _ in range(2):
            while True:
                try:
                    os.fsync(file)
                    break
                except OSError as error:
                    if mode == "stop":
                        sys.exit(f"{path}: {error}")
        if mode == "verify" and os.pread(file, 8192, 0) != b"B" * 8192:
            sys.exit(f"{path} has lost what was written")
        print("saved", flush=True)
        """

    /// A sync that is called again is believed wrongly by each of the file systems, and only btrfs lets
    /// the program see that.
    @Test(
        arguments: Nightly.cases(
            [
                ("retry", .ext4, true), ("retry", .ext4Data, true), ("stop", .ext4Data, false),
                ("verify", .xfs, true), ("verify", .btrfs, false), ("retry", .xfs, true),
                ("retry", .btrfs, true),
            ] as [(String, AfterSync, Bool)], usual: 5))
    func aSecondSyncThatIsBelievedIsCaught(
        mode: String, after: AfterSync, isCaught: Bool
    ) async throws {
        let script = place.path("saver.py")
        try Self.saver.save(as: "saver.py", in: place)
        let outcome = try await place.killTest(
            Self.options, "--error", "fsync-eio", "--after-fsync", after.rawValue, "--at", "1",
            "--iterations", "2", "--seed", "96", "--no-relaunch", "--check",
            "test ! -s {said} || test $(tr -dc B < {dir}/data | wc -c) = 8192", "--", "python3",
            script, mode, "{dir}")
        #expect(outcome.exitCode == (isCaught ? 99 : 0), "\(outcome.output)\(outcome.complaint)")
        for row in try place.rows() {
            #expect(row.checkers == (isCaught ? [.check] : []), "\(row.reason)")
            let call = try #require(row.failedCall)
            let words =
                after == .ext4Data
                ? "call 1, fsync of data lost what it had written, which call 2 reported with EIO"
                : "call 1, fsync of data failed with EIO"
            #expect(call.hasPrefix(words), "\(call)")
        }
    }
}
