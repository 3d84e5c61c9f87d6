import Foundation
import RigModel
import Testing

@testable import RigLab

/// A run that is under way cannot be resumed.
struct RunLockTests {
    private let place: TemporaryFolder

    init() throws { place = try TemporaryFolder() }

    private func isRefused(_ folder: RunFolder) -> Bool {
        do {
            try RunLock(folder).release()
            return false
        } catch let error as RigError {
            #expect(error.status == .usage)
            return true
        } catch {
            Issue.record(error)
            return false
        }
    }

    @Test func aLockIsHeldUntilItIsReleased() throws {
        let folder = try RunFolder(existing: place.path)
        let lock = try RunLock(folder)
        #expect(lock.isCertain)
        #expect(isRefused(folder))
        lock.release()
        #expect(!isRefused(folder))
        #expect(try FileManager.default.contentsOfDirectory(atPath: place.path).isEmpty)
    }

    /// A killed rig leaves the lock file, but no longer holds the lock.
    @Test func aFileThatIsNotHeldIsNoLock() throws {
        try Data().write(to: URL(fileURLWithPath: place.file(RunLock.fileName)))
        #expect(!isRefused(try RunFolder(existing: place.path)))
    }

    /// Whether a rig works in a folder can be asked without disturbing it.
    @Test func askingChangesNothing() throws {
        let folder = try RunFolder(existing: place.path)
        #expect(!RunLock.isHeld(folder))
        let lock = try RunLock(folder)
        #expect(RunLock.isHeld(folder) && isRefused(folder))
        lock.release()
        #expect(!RunLock.isHeld(folder))
        // What a killed rig leaves.
        try Data().write(to: URL(fileURLWithPath: place.file(RunLock.fileName)))
        #expect(!RunLock.isHeld(folder))
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: place.path) == [RunLock.fileName])
    }

    /// The second of two rigs overwrote the first one's manifest before it was refused.
    ///
    /// Of 19 such runs 11 could no longer be judged.
    @Test func aFolderIsClaimedOnce() throws {
        let path = place.file("run")
        let (folder, lock) = try RunFolder.claim(path)
        try folder.write("the first one's", to: "manifest.json")
        expectError(.usage) { try RunFolder.claim(path).lock.release() }
        // The second rig found the folder empty; the first was done before the second asked for the
        // lock.
        lock.release()
        expectError(.usage) { try RunFolder.lock(folder).release() }
        #expect(try folder.text(of: "manifest.json") == "the first one's")
        #expect(try FileManager.default.contentsOfDirectory(atPath: path) == ["manifest.json"])
    }

    /// A run's folder was removed under its rig, and another run began in it: the first one removed
    /// the other's lock and scratch folder, and wrote its documents over the other's.
    @Test(arguments: [false, true])
    func aFolderThatIsNotTheRunsAnyMoreIsLeftAlone(isReplaced: Bool) throws {
        let path = place.file("run")
        let (first, lock) = try RunFolder.claim(path)
        try first.write("the first one's", to: "manifest.json")
        _ = try first.makeScratch()
        try FileManager.default.removeItem(atPath: path)
        let second = try isReplaced ? RunFolder.claim(path) : nil
        _ = try second?.folder.makeScratch()
        try second?.folder.write("the second one's", to: "manifest.json")
        let error = #expect(throws: RigError.self) { try first.write("", to: "manifest.json") }
        #expect(error?.status == .failure)
        #expect(error?.message.contains("another is there now") == isReplaced)
        #expect(throws: RigError.self) { try first.makeScratch("scratch-2") }
        #expect(throws: RigError.self) { try first.appender(to: "rows") }
        #expect(throws: RigError.self) { try first.cut("manifest.json", to: 0, evidence: []) }
        #expect(first.removeScratch() == nil)
        first.discard()
        #expect(!lock.release())
        let left = try? FileManager.default.contentsOfDirectory(atPath: path).sorted()
        #expect(left == (isReplaced ? ["manifest.json", "run.lock", "scratch"] : nil))
        guard let second else { return }
        #expect(try second.folder.text(of: "manifest.json") == "the second one's")
        #expect(second.lock.release())
    }

    @Test func whatTheIterationUnderWayHasLeftIsRemoved() throws {
        let folder = try RunFolder(existing: place.path)
        for name in ["scratch/1", "scratch-2", "evidence/512KB-1-1", "evidence/512KB-2-1", "mine"] {
            try FileManager.default.createDirectory(
                atPath: place.file(name), withIntermediateDirectories: true)
        }
        try folder.write("one\ntwo\nto", to: "rows")
        try folder.cut("rows", to: 8, evidence: ["512KB-2-1", "512KB-3-1"])
        #expect(try folder.text(of: "rows") == "one\ntwo\n")
        #expect(try folder.subfolders() == ["evidence", "mine"])
        let kept = try FileManager.default.contentsOfDirectory(atPath: place.file("evidence"))
        #expect(kept == ["512KB-1-1"])
        // A rig that was killed before its first row has left no file.
        #expect(throws: Never.self) { try folder.cut("none", to: 0, evidence: []) }
    }
}
