import Foundation
import StorageModel
import SyscallTracer
import TestSupport
import Testing

/// What a program does to its files that is not recorded is said, in the report and in the log.
///
/// The tracer noted that a program had set up io_uring, and nothing read it: a worker that wrote by
/// io_uring alone passed a modelled power cut, which had taken nothing of its files.
@Suite struct UnseenTests {
    private let program: TracedProgram

    init() throws { program = try TracedProgram() }

    /// Reads, and writes to what is no file in scope, change nothing.
    @Test(arguments: [
        ("read", []), ("write", ["WRITE by io_uring", "FSYNC by io_uring"]),
        ("create", ["OPENAT by io_uring"]),
    ]) func whatIoUringIsAskedForIsSaid(what: String, unseen: [String]) async throws {
        for options in [["--record", program.place.path("log")], [], ["--unfiltered"]] {
            try program.clear()
            let outcome = try await program.trace(
                ["ring", "{work}", what], ["--under", program.work] + options)
            // A ring that the kernel refuses hides nothing.
            let isRefused = outcome.exitCode == 77
            #expect(isRefused || outcome.exitCode == 0, "\(outcome.complaint)")
            #expect(outcome.report?.unseen == (isRefused ? [] : unseen))
            guard options.first == "--record" else { continue }
            #expect(try recorded == outcome.report?.unseen)
        }
    }

    /// A read by io_uring was neither cut by `short-read` nor said not to be counted.
    @Test func readsThatAreToFailAreSaid() async throws {
        let outcome = try await program.trace(
            ["ring", "{work}", "read"],
            ["--under", program.work, "--error", "short-read", "--kill-at", "9"])
        let isRefused = outcome.exitCode == 77
        #expect(isRefused || outcome.exitCode == 0, "\(outcome.complaint)")
        #expect(outcome.report?.unseen == (isRefused ? [] : ["READ by io_uring"]))
    }

    @Test func callsOfAnotherArchitectureAreSaid() async throws {
        let outcome = try await program.record(["foreign"])
        // Without support for 32-bit programs the kernel ends this one.
        guard outcome.exitCode == 0 else {
            return #expect(outcome.exitCode == 77 || outcome.signal == SIGSEGV)
        }
        #expect(try recorded == ["calls of another architecture"])
        #expect(outcome.report?.unseen == ["calls of another architecture"])
    }

    @Test(.enabled(if: SmallDisk.isPossible)) func filesOnAnotherFileSystemAreSaid() async throws {
        let disk = try SmallDisk(.tmpfs, megabytes: 1)
        let around = URL(fileURLWithPath: disk.path).deletingLastPathComponent().path
        _ = try await program.trace(
            ["threads", disk.path, "1", "1"],
            ["--under", around, "--record", program.place.path("log")])
        #expect(try recorded == ["changes of mount/0, which is on another file system"])
    }

    /// Memory that is made writable after the file was mapped is compared, too.
    @Test func memoryMadeWritableLaterIsRecorded() async throws {
        _ = try await program.record(["map-later", "{work}"])
        let kinds = try program.log.operations.map(\.kind)
        #expect(
            kinds.contains { kind in
                guard case .write(_, 0, let bytes) = kind else { return false }
                return bytes.first == UInt8(ascii: "m")
            }, "\(kinds)")
        #expect(try recorded.isEmpty)
    }

    private var recorded: [String] {
        get throws {
            try program.log.operations.compactMap { operation in
                if case .unseen(let what) = operation.kind { what } else { nil }
            }
        }
    }
}
