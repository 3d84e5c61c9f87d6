import Foundation
import RigModel
import SyscallTracer
import Testing

@testable import StorageModel

/// A call that is made to fail does what it would do if it failed by itself (T13).
///
/// `FileCaller save` opens, writes 10,000 bytes, syncs, closes, renames and reads, and ends with the
/// error of the first call that fails.
@Suite struct FailingCallTests {
    private let program: TracedProgram

    init() throws { program = try TracedProgram() }

    private static let calls = ["openat", "write", "fsync", "rename"]

    private func fail(
        _ arguments: [String], _ error: String, at point: Int = 1, _ options: [String] = []
    ) async throws -> (exitCode: Int32?, report: TraceReport) {
        try program.clear()
        let outcome = try await program.trace(
            arguments,
            ["--under", program.work, "--error", error, "--kill-at", "\(point)"] + options)
        return (outcome.exitCode, try #require(outcome.report, "\(outcome.complaint)"))
    }

    private func save(
        _ error: String, at point: Int = 1, _ options: [String] = []
    ) async throws -> (exitCode: Int32?, report: TraceReport) {
        try await fail(["save", "{work}"], error, at: point, options)
    }

    @Test(arguments: [[], ["--unfiltered"]])
    func aCallThatFailsIsNotMade(options: [String]) async throws {
        // What is there when the call of that number has failed: by name, how many bytes.
        let left: [[String: Int]] = [
            [:], ["data.tmp": 0], ["data.tmp": 10_000], ["data.tmp": 10_000],
        ]
        for point in 1...4 {
            let (code, report) = try await save("eio", at: point, options)
            #expect(code == EIO && report.exitCode == EIO && report.kill == nil)
            let failed = try #require(report.failed)
            #expect(failed.call.ordinal == point && failed.calls == 1 && failed.cutTo == nil)
            #expect(failed.call.name.hasPrefix(Self.calls[point - 1]))
            #expect(try program.sizes() == left[point - 1])
        }
        let (code, report) = try await save("eio", at: 5, options)
        #expect(code == 0 && report.failed == nil && report.counted == 4)
    }

    @Test(arguments: [
        ("enospc", ENOSPC, 2), ("edquot", EDQUOT, 2), ("emfile", EMFILE, 1), ("fsync-eio", EIO, 1),
        ("close-eio", EIO, 1), ("rename-eio", EIO, 1), ("short-write", 0, 1), ("short-read", 0, 1),
    ])
    func onlyCallsThatCanFailSoAreCounted(error: String, code: Int32, counted: Int) async throws {
        let never = try await save(error, at: 9)
        #expect(never.exitCode == 0 && never.report.counted == counted)
        let last = try await save(error, at: counted)
        #expect(last.exitCode == code)
        #expect(last.report.failed?.call.ordinal == counted)
    }

    @Test func aShortCallIsCarriedOutForHalfOfItsBytes() async throws {
        for error in ["short-write", "short-read"] {
            let (code, report) = try await save(error)
            #expect(code == 0, "\(error): the program goes on where it was left")
            #expect(report.failed?.cutTo == 5_000 && report.failed?.call.length == 10_000)
            #expect(report.counted == 2, "\(error): the rest can fail as well")
            #expect(try program.sizes() == ["data": 10_000])
        }
    }

    /// The second of two writes that must share out what is cut.
    @Test func ofSeveralRangesTheFirstIsCut() async throws {
        let (code, report) = try await fail(
            ["vector", "{work}"], "short-write", ["--sticky", "until-relaunch"])
        #expect(code == 0)
        #expect(report.failed?.cutTo == 5_000 && report.failed?.calls == 2)
        #expect(try program.sizes() == ["vector": 25_000])
    }

    @Test func aFullDiskTakesAShorterWriteAndThenNothingMore() async throws {
        let (code, report) = try await save(
            "enospc", at: 2, ["--sticky", "until-relaunch"])
        #expect(code == ENOSPC)
        #expect(report.failed?.cutTo == 4_096 && report.failed?.calls == 2)
        #expect(try program.sizes() == ["data.tmp": 4_096])
        let once = try await save("enospc", at: 2)
        #expect(once.exitCode == ENOSPC && once.report.failed?.cutTo == nil)
        #expect(try program.sizes() == ["data.tmp": 0])
    }

    @Test func everyNthCallFails() async throws {
        // The first call makes the file.
        let (code, report) = try await fail(
            ["ignore", "{work}", "10"], "eio", at: 3, ["--sticky", "every:4"])
        #expect(code == 0 && report.failed?.calls == 3)
        let bytes = try Data(
            contentsOf: program.place.url("work").appendingPathComponent("ignored"))
        #expect(bytes.enumerated().filter { $0.element == 0 }.map(\.offset) == [1, 5])
        // The tenth byte was to be the last.
        #expect(bytes.count == 9)
    }

    @Test func callsOnOtherFilesAreNotCounted() async throws {
        let (code, report) = try await save("eio", ["--on", "*.other"])
        #expect(code == 0 && report.counted == 0)
        let same = try await save("eio", at: 4, ["--on", "data.*"])
        #expect(same.exitCode == EIO && same.report.failed?.call.name.hasPrefix("rename") == true)
    }

    /// It was cut to half of what the program asked for, which was more than the file had: the read came
    /// as it would have come anyway.
    @Test func aShortReadIsShorterThanWhatThereIs() async throws {
        let (code, report) = try await fail(["short", "{work}"], "short-read")
        #expect(code == 50 && report.failed?.cutTo == 50)
    }

    /// It stood in the log as a write of what the program's memory had held before.
    @Test func aShortReadIsNoWriteInTheLog() async throws {
        let outcome = try await program.record(
            ["short", "{work}"], ["--error", "short-read", "--kill-at", "1"])
        #expect(outcome.exitCode == 50, "\(outcome.complaint)")
        let written = [UInt8](repeating: 0, count: 100)
        #expect(
            try program.log.operations.map(\.kind) == [
                .create(path: "data", file: FileID(1)),
                .write(file: FileID(1), offset: 0, bytes: written),
            ])
    }

    /// Which syncs fail, whether the new bytes are read afterwards, and what a power cut leaves: by
    /// `FileCaller resync`, whose second sync is the one that fails.
    @Test(arguments: [
        (AfterSync.ext4, 3, "A4096+04096"), (.xfs, 3, "A4096"), (.btrfs, 2, "A4096"),
        (.ext4Data, 5, "A4096+04096"),
    ]) func whatCouldNotBeSyncedIsLost(after: AfterSync, code: Int32, left: String) async throws {
        let outcome = try await program.record(
            ["resync", "{work}", "3"],
            ["--error", "fsync-eio", "--kill-at", "2", "--after-fsync", after.rawValue])
        #expect(outcome.exitCode == code, "\(outcome.complaint)")
        let failed = try #require(outcome.report?.failed)
        #expect(failed.call.ordinal == 2 && failed.calls == 1)
        #expect(failed.isLate == (after == .ext4Data))
        #expect(failed.reportedBy == (after == .ext4Data ? 3 : nil))
        let log = try program.log
        let states = try #require(try AllCrashStates.images(of: log, on: after.disk))
        #expect(Set(states.map { $0.text(of: "data") }) == [left])
    }

    /// PostgreSQL lets the writing of each file of a new database begin by `sync_file_range`, and syncs
    /// it later.
    ///
    /// The former failed and lost the file, the latter succeeded, and so the store was blamed. RocksDB
    /// was ended by an assertion that no disk lets fail. Of the eight combinations of flags, none and
    /// SYNC_FILE_RANGE_WRITE alone do not wait.
    @Test func aSyncThatDoesNotWaitCannotFail() async throws {
        let words = ["call", "{work}", "sync_file_range"]
        let never = try await fail(words, "fsync-eio", at: 9)
        #expect(never.exitCode == 0 && never.report.counted == 6)
        // SYNC_FILE_RANGE_WAIT_BEFORE.
        let first = try await fail(words, "fsync-eio")
        #expect(first.exitCode == 1 && first.report.failed?.call.name == "sync_file_range")
        // Nor does SYNC_FILE_RANGE_WRITE, which comes next, report what was lost before.
        try program.clear()
        let late = try await program.record(
            words, ["--error", "fsync-eio", "--kill-at", "1", "--after-fsync", "ext4-data"])
        #expect(late.exitCode == 3 && late.report?.failed?.reportedBy == 2, "\(late.complaint)")
    }

    /// A journal that has a folder's names loses none: with ext4-data nothing was reported of such a
    /// sync, and the names were gone after the power cut, which blamed a store that had done all.
    @Test(arguments: [(AfterSync.ext4Data, true), (.ext4, false)])
    func aFolderIsSyncedByItsJournal(after: AfterSync, isSynced: Bool) async throws {
        let outcome = try await program.record(
            ["kinds", "{work}"],
            [
                "--error", "fsync-eio", "--of", "fsync", "--kill-at", "2", "--after-fsync",
                after.rawValue,
            ])
        #expect((outcome.exitCode == 0) == isSynced, "\(outcome.complaint)")
        #expect(outcome.report?.failed?.call.path.hasSuffix("/work") == true)
        let kinds = try program.log.operations.map(\.kind)
        #expect(kinds.contains(.syncDirectory(path: ".")) == isSynced)
    }

    /// A close that fails is carried out, and what was not synced before it is lost.
    @Test func whatAFailedCloseHadToWriteIsLost() async throws {
        let (code, report) = try await save(
            "close-eio", ["--record", program.place.path("log"), "--after-fsync", "ext4"])
        #expect(code == EIO && report.failed != nil)
        // It had been synced.
        let log = try program.log
        #expect(
            log.operations.contains { operation in
                if case .syncFailed(_, 0, Int64.max, .seen) = operation.kind { true } else { false }
            })
        let states = try #require(try AllCrashStates.images(of: log, on: .ext4))
        #expect(states.allSatisfy { $0.size(of: "data.tmp") == 10_000 })
    }

    @Test func aSlowCallTakesASecondLonger() async throws {
        let began = ContinuousClock.now
        let (code, report) = try await save("slow", at: 2)
        #expect(code == 0 && report.failed?.call.name == "write")
        #expect(ContinuousClock.now - began >= .seconds(1))
    }
}

extension CrashImage {
    /// The length of a file; nil without it.
    fileprivate func size(of path: String) -> Int64? {
        names.file(at: path).flatMap { contents[$0]?.size }
    }

    /// A file by runs of equal bytes, such as `A100+0412`; `-` without it.
    fileprivate func text(of path: String) -> String {
        names.file(at: path).flatMap { contents[$0]?.runs } ?? "-"
    }
}
