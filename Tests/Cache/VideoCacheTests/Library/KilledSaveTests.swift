import Foundation
import GRDB
import Testing
import TestSupport

@testable import OfflineLibrary
@testable import VideoCache

/// The documents delete the old list and insert the new one in two steps.
///
/// A kill between them leaves no list at all: the library is empty at the next launch, offline, for
/// good.
///
/// Here a child process saves a list over another and is killed by a real SIGKILL: before the k-th
/// SQL statement, before the k-th write to a file, or in the middle of it, for every k. The next
/// process must find the whole old list or the whole new one (O4). The documents' own design,
/// killed in the same way, must be seen to lose the list, or this test proves nothing.
@Suite struct KilledSaveTests {
    enum Design: String, Codable, CaseIterable, CustomTestStringConvertible {
        case oneTransaction
        case deleteThenInsert

        var testDescription: String { rawValue }
    }

    enum Moment: String, Codable, CaseIterable, CustomTestStringConvertible {
        case beforeStatement
        case beforeWrite
        case inWrite

        var testDescription: String { rawValue }
    }

    enum Outcome: Hashable {
        case old
        case new
        case none
        case mixture
    }

    /// The exit code of a child that was not killed.
    static let uninterrupted: Int32 = 77
    private static let old = CachedVideoList(videos: libraryVideos(4), timestamp: someTime)
    private static let new = CachedVideoList(
        videos: libraryVideos(6, seed: 2), timestamp: someTime + 1)

    /// The child's work; returns if it was not killed.
    static func save(_ design: Design, in folder: String, killing moment: Moment, at step: Int)
        throws
    {
        let store = try SQLiteVideoStore(folder: folder)
        switch moment {
        case .beforeStatement:
            var count = 0
            store.queue.inDatabase { db in
                db.trace { _ in
                    count += 1
                    if count == step { SystemCallKiller.die() }
                }
            }
        case .beforeWrite: SystemCallKiller.arm(atWrite: step, tearing: false)
        case .inWrite: SystemCallKiller.arm(atWrite: step, tearing: true)
        }
        switch design {
        case .oneTransaction: try store.replace(with: new.videos, timestamp: new.timestamp)
        case .deleteThenInsert:
            try store.deleteCachedVideos()
            try store.insert(new.videos, timestamp: new.timestamp)
        }
        // Kills land after the commit too: during a read, and during the checkpoint.
        _ = try store.retrieve()
        try store.close()
    }

    private func outcome(in folder: String) throws -> Outcome {
        let store = try SQLiteVideoStore(folder: folder)
        let isSound = try store.queue.read {
            try String.fetchOne($0, sql: "PRAGMA integrity_check") == "ok"
        }
        #expect(isSound)
        guard let list = try store.retrieve() else { return .none }
        return list == Self.old ? .old : list == Self.new ? .new : .mixture
    }

    /// More system calls than any save makes.
    private static let mostSteps = 5_000

    /// What kills of children leave, at each step in turn, until one ends by itself or leaves `sought`.
    private func outcomes(
        _ design: Design, _ moment: Moment, until sought: Outcome? = nil
    ) async throws -> [Outcome] {
        var found: [Outcome] = []
        while found.count < Self.mostSteps {
            if let sought, found.last == sought { return found }
            let folder = TemporaryFolder()
            let store = try SQLiteVideoStore(folder: folder.path)
            try store.insert(Self.old.videos, timestamp: Self.old.timestamp)
            try store.close()
            let step = found.count + 1
            let result = await #expect(
                processExitsWith: .failure, observing: [\.exitStatus]
            ) { [design, moment, step = step as Int, path = folder.path as String] in
                try KilledSaveTests.save(design, in: path, killing: moment, at: step)
                exit(KilledSaveTests.uninterrupted)
            }
            let status = try #require(result?.exitStatus)
            let left = try outcome(in: folder.path)
            if status == .exitCode(Self.uninterrupted) {
                #expect(left == .new)
                return found
            }
            try #require(status == .signal(SIGKILL), "\(status)")
            found.append(left)
        }
        throw NeverHappened(what: "a save that is done before its kill")
    }

    @Test(arguments: Moment.allCases)
    func whateverTheMomentTheListIsTheOldOneOrTheNew(moment: Moment) async throws {
        let found = try await outcomes(.oneTransaction, moment)
        #expect(Set(found) == [.old, .new])
    }

    @Test(arguments: Moment.allCases)
    func theDocumentsDesignIsSeenToLoseTheList(moment: Moment) async throws {
        let found = try await outcomes(.deleteThenInsert, moment, until: Outcome.none)
        #expect(found.last == Outcome.none)
    }
}
