import HandmadeLogs
import RigModel
import Testing

@testable import StorageModel

/// The smallest cause of a failing crash state, the rule that it broke, and its cure.
@Suite struct CrashCauseTests {
    @Test func deltaDebuggingEndsWhereNothingCanBeLeftOut() async throws {
        var tried = 0
        let found = await DeltaDebugging.smallest(of: Array(0..<40)) { part in
            tried += 1
            return part.contains(3) && part.contains(27)
        }
        #expect(found == [3, 27])
        #expect(tried < 200)
        let nothing = await DeltaDebugging.smallest(of: [1, 2]) { _ in true }
        #expect(nothing == [])
        let all = await DeltaDebugging.smallest(of: [1, 2, 3]) { $0.count == 3 }
        #expect(all == [1, 2, 3])
    }

    /// Operations: 1 data, 2 data.tmp, 3 its bytes, 4 another file, 5 the rename.
    private let replaced = LogByHand().existing("data", "a").create("data.tmp")
        .write("data.tmp", "b").create("log").rename("data.tmp", to: "data")

    /// What a search finds in the states that some seeds draw.
    private struct Found {
        let cause: CrashCause
        let outcome: CureSearch.Outcome
        let words: LifeInWords
        let undecided: Int
    }

    private func find(
        in log: StorageLog, on disk: DiskModel, seeds: UInt64 = 60,
        fails: @escaping (CrashImage) -> Bool?
    ) async throws -> Found? {
        let replay = try StorageReplay(of: log, on: disk)
        let search = CrashCauseSearch(of: log, after: replay) { fails($0) }
        var failing: [[CrashDecision]] = []
        for seed in 0..<seeds {
            let (image, decisions) = replay.drawn(seed: seed)
            if fails(image) == true, let decisions { failing.append(decisions) }
        }
        guard let first = failing.first, let cause = try await search.cause(of: first) else {
            return nil
        }
        let cures = CureSearch(failing, of: log, after: replay, by: search)
        return Found(
            cause: cause, outcome: try await cures.run(against: cause), words: LifeInWords(log),
            undecided: search.undecided)
    }

    private static func isSpoiled(_ image: CrashImage) -> Bool? {
        !["a", "b"].contains(image.letters("data"))
    }

    /// A rename without a sync before it: the write and the rename are named, and the sync between.
    @Test(arguments: [DiskModel.xfs, .btrfs, .posix])
    func aRenameWithoutASync(on disk: DiskModel) async throws {
        let found = try #require(try await find(in: replaced.log, on: disk, fails: Self.isSpoiled))
        #expect(found.cause.lost == [3] && found.cause.kept == 5)
        #expect(
            found.words.rule(found.cause)
                == "operation 5, rename(data.tmp → data), was on the disk and operation 3, "
                + "write(data.tmp, 512 bytes at 0), \(disk == .posix ? "was spoiled" : "was not"): "
                + "no sync of data.tmp lies between them")
        let cure = try #require(found.outcome.cures.first)
        #expect(cure.syncs.map(\.target) == [.data(replaced.file("data.tmp"))])
        // The latest place that helps: right before the rename.
        #expect(cure.syncs.map(\.after) == [4])
        #expect(found.outcome.isSmallest)
        let mended = try StorageReplay(of: cure.applied(to: replaced.log), on: disk)
        for seed in 0..<UInt64(100) {
            #expect(Self.isSpoiled(mended.drawn(seed: seed).image) == false)
        }
    }

    /// With the sync there is nothing to explain.
    @Test func aRenameWithASyncHasNoCause() async throws {
        let log = LogByHand().existing("data", "a").create("data.tmp").write("data.tmp", "b")
            .sync("data.tmp").rename("data.tmp", to: "data").log
        #expect(try await find(in: log, on: .xfs, fails: Self.isSpoiled) == nil)
    }

    /// A file that was reported safe, and whose name is not: the folder is to be synced.
    @Test func aNameWithoutASync() async throws {
        let log = LogByHand().existing("old", "a").create("new").write("new", "b").sync("new").log
        let found = try #require(try await find(in: log, on: .posix) { $0.letters("new") != "b" })
        #expect(found.cause.lost == [2] && found.cause.kept == nil)
        #expect(
            found.words.rule(found.cause)
                == "operation 2, open(new), was not on the disk when the power failed: "
                + "no sync of the folder came after it")
        #expect(found.outcome.cures.map { $0.syncs.map(\.target) } == [[.folder(".")]])
        #expect(found.words.syncs(around: 2).contains("never after"))
    }

    /// Of two mistakes each needs a sync, and no single one mends both.
    @Test func twoMistakesNeedTwoSyncs() async throws {
        var log = LogByHand().existing("data", "a").existing("more", "a")
        for name in ["data", "more"] {
            log = log.create("\(name).tmp").write("\(name).tmp", "b")
                .rename("\(name).tmp", to: name)
        }
        let found = try #require(
            try await find(in: log.log, on: .posix) { image in
                ["data", "more"].contains { !["a", "b"].contains(image.letters($0)) }
            })
        #expect(found.outcome.cures.first?.syncs.count == 2)
        #expect(found.outcome.isSmallest)
        #expect(found.outcome.causes.count == 2)
    }

    /// A state of which nothing can be told is no failure, and is counted.
    @Test func anUndecidedStateIsCounted() async throws {
        let found = try #require(
            try await find(in: replaced.log, on: .xfs) { image in
                image.paths.contains("log") ? Self.isSpoiled(image) : nil
            })
        #expect(found.cause.lost == [3])
        #expect(found.undecided > 0)
    }

    /// A sync after which the program hangs, or fails in another way, had been called the cure: what
    /// does not fail as before counted as a pass.
    @Test func whatTellsNothingIsNoCure() async throws {
        let found = try #require(
            try await find(in: replaced.log, on: .xfs) { image in
                image.letters("data") == "b" ? nil : Self.isSpoiled(image)
            })
        #expect(found.cause.lost == [3])
        #expect(found.outcome.cures.isEmpty && found.outcome.others > 0)
    }

    @Test func whatIsNotSyncedIsToldByFile() throws {
        let replay = try StorageReplay(of: replaced.log, on: .xfs)
        #expect(
            replay.unsyncedFiles == [
                UnsyncedFileFacts(path: ".", operations: 3, bytes: 0),
                UnsyncedFileFacts(path: "data", operations: 1, bytes: 512),
            ])
    }
}
