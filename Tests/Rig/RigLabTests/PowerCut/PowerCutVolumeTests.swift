import Foundation
import RigModel
import Subprocess
import SystemPackage
import TestSupport
import Testing

@testable import RigLab

/// Whether the system has what power cuts need: root, loop devices, mkfs.ext4 and mkfs.xfs.
let isPowerCutPossible = VolumeFileSystem.allCases.allSatisfy {
    (try? PowerCutVolume.check($0)) != nil
}

/// Why a volume could not be made is named: "free some space" was said of each failure of mkfs, and
/// a full disk was to need loop devices.
struct PowerCutFailureTests {
    @Test(.enabled(if: VolumeFileSystem.ext4.makerPath != nil, "needs mkfs.ext4"))
    func whatMakesNoFileSystemIsQuoted() async throws {
        let folder = try TemporaryFolder()
        let error = await #expect(throws: RigError.self) {
            try await PowerCutVolume.format(folder.file("none"), as: .ext4)
        }
        let message = try #require(error?.message)
        #expect(message.contains("mkfs.ext4 failed: ") && message.contains("none"), "\(message)")
        #expect(message.hasSuffix(SystemFailure.remedyOfProgram), "\(message)")
        #expect(!message.contains("free some space"))
    }

    @Test(
        arguments: [
            (.noSpace, "free some space"), (.fileTooLarge, "ulimit -f"),
            (.readOnlyFileSystem, "can be written"), (.permissionDenied, "use sudo"),
            (.badAddress, "a power cut needs loop devices and a kernel"),
        ] as [(Errno, String)])
    func whatTheSystemRefusesIsNamed(error: Errno, says: String) {
        let message = PowerCutVolume.failure("make the volume v", error).message
        #expect(message.contains("make the volume v: ") && message.contains(says), "\(message)")
    }
}

extension TemporaryFolder {
    /// An empty volume in it.
    func volume(
        as fileSystem: VolumeFileSystem = .ext4, run: String = "test"
    ) async throws -> PowerCutVolume {
        let volume = try await PowerCutVolume.make(
            in: path, run: run, as: fileSystem, videoBytes: 1 << 20)
        try volume.wipe()
        return volume
    }
}

/// A real file system with real power cuts.
@Suite(
    .serialized,
    .enabled(if: isPowerCutPossible, "needs root, loop devices, mkfs.ext4 and mkfs.xfs"))
struct PowerCutVolumeTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func write(_ bytes: Int, to path: String, synced: Bool) throws {
        let file = try path.opened(.writeOnly, .create)
        defer { try? file.close() }
        try file.writeAll(repeatElement(7, count: bytes))
        if synced, fsync(file.rawValue) != 0 { throw Errno(rawValue: errno) }
    }

    private func size(_ path: String) -> Int? { FileManager.default.contents(atPath: path)?.count }

    /// fsync separates what may be lost from what may not.
    @Test(arguments: VolumeFileSystem.allCases)
    func aCutKeepsWhatWasSyncedAndNothingElse(fileSystem: VolumeFileSystem) async throws {
        let volume = try await folder.volume(as: fileSystem)
        for _ in 1...3 {
            try volume.wipe()
            try write(300_000, to: "\(volume.state)/synced", synced: true)
            try write(300_000, to: "\(volume.state)/unsynced", synced: false)
            try volume.cut()
            try volume.remount()
            #expect(size("\(volume.state)/synced") == 300_000)
            #expect((size("\(volume.state)/unsynced") ?? 0) == 0)
        }
        try volume.tearDown()
    }

    @Test func afterACutNothingCanBeSynced() async throws {
        let volume = try await folder.volume()
        try volume.cut()
        #expect(throws: (any Error).self) {
            try write(10, to: "\(volume.state)/late", synced: true)
        }
        try volume.remount()
        #expect(try FileManager.default.contentsOfDirectory(atPath: volume.state) == [])
        try volume.tearDown()
    }

    /// The block device's cache used to survive the cut.
    ///
    /// The device stayed open, and its cache kept the metadata that the cut had discarded. Mounted
    /// again, ext4 read it beside what was on the disk, and damaged itself ("bad block bitmap
    /// checksum"). Workers then failed with I/O errors that were not their fault.
    @Test(arguments: VolumeFileSystem.allCases)
    func manyCutsOfABusyVolumeLeaveItSound(fileSystem: VolumeFileSystem) async throws {
        let volume = try await folder.volume(as: fileSystem)
        for cut in 1...60 {
            // Several cuts of one state, as in a chain of kills.
            if cut % 4 == 1 { try volume.wipe() }
            for number in 1...12 {
                let path = "\(volume.state)/\(cut)-\(number)"
                try write(40_000 + 9_000 * number, to: path, synced: number.isMultiple(of: 3))
                if number.isMultiple(of: 4) { try FileManager.default.removeItem(atPath: path) }
            }
            try volume.cut()
            // Fails if the kernel finds a fault.
            try volume.remount()
        }
        try volume.wipe()
        try volume.tearDown()
    }

    @Test(arguments: VolumeFileSystem.allCases)
    func wipingLeavesNothingOfTheIterationBefore(fileSystem: VolumeFileSystem) async throws {
        let volume = try await folder.volume(as: fileSystem)
        try write(100, to: "\(volume.state)/old", synced: true)
        try volume.wipe()
        // The empty folder must be durable: otherwise a cut would bring back the old one.
        try volume.cut()
        try volume.remount()
        #expect(try FileManager.default.contentsOfDirectory(atPath: volume.state) == [])
        try volume.tearDown()
    }

    @Test func tearingDownLeavesNoMountNoDeviceAndNoFile() async throws {
        let volume = try await folder.volume(run: "torn-down")
        #expect(attached(run: "torn-down").count == 1)
        try volume.tearDown()
        try volume.tearDown()
        #expect(attached(run: "torn-down").isEmpty)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == [])
    }

    /// A run ended with 70 because another program had made a mount namespace during the kill.
    ///
    /// Any service that starts may do so. The old file system lived on in the copy until that ended.
    @Test func aMountNamespaceThatEndsSoonIsWaitedFor() async throws {
        let volume = try await folder.volume()
        let (up, go) = (folder.file("up"), folder.file("go"))
        let other = Process()
        other.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        let script = "touch \(up); until [ -e \(go) ]; do sleep 0.01; done"
        other.arguments = ["unshare", "-m", "--propagation", "private", "sh", "-c", script]
        try other.run(within: patience)
        try blockUntil("it has its namespace") { FileManager.default.fileExists(atPath: up) }
        try volume.cut()
        Thread.detachNewThread {
            // The first attempts see the copy.
            Pause.seconds(0.2)
            _ = FileManager.default.createFile(atPath: go, contents: nil)
        }
        try volume.remount()
        #expect(try FileManager.default.contentsOfDirectory(atPath: volume.state) == [])
        other.waitUntilExit()
        try volume.tearDown()
    }

    @Test func aProcessWithAnOpenFileIsNamedAndNotWaitedForForEver() async throws {
        let volume = try await folder.volume()
        let file = try "\(volume.state)/held".opened(.writeOnly, .create)
        try volume.cut()
        expectError(.failure, "still has a file open") { try volume.remount() }
        try file.close()
        try volume.remount()
        try volume.tearDown()
    }

    private func attached(run: String) -> [String] {
        LoopDevice.attached.map(\.file).filter { $0.contains("power-cut.\(run).") }
    }

    // MARK: Leftovers of dead rigs

    /// The scratch folder of a run; the test's folder is that of all runs.
    private func scratch(_ name: String = "scratch") throws -> String {
        let scratch = folder.file("run/\(name)")
        try FileManager.default.createDirectory(atPath: scratch, withIntermediateDirectories: true)
        return scratch
    }

    private func expectAllDeeds(_ said: [String]) {
        #expect(said.count == 1)
        for deed in ["cleaned up after", "unmounted", "detached /dev/loop", "removed"] {
            #expect(said.first?.contains(deed) == true, "\(said)")
        }
    }

    /// What is said of a run when the leftovers of dead rigs are removed.
    private func said(of run: String) -> [String] {
        PowerCutLeftovers.ofDeadRigs(results: folder.path).remove().filter { $0.contains(run) }
    }

    /// The identity of a rig that is no longer running.
    private static func dead() throws -> ProcessIdentity {
        let own = try #require(ProcessIdentity.own)
        return ProcessIdentity(
            process: own.process, started: own.started + 1, namespace: own.namespace)
    }

    @Test func whatADeadRigLeftIsRemovedAndSaid() async throws {
        let scratch = try scratch()
        let image = PowerCutImage(run: "dead", owner: try Self.dead())
        let volume = try await PowerCutVolume.make(in: scratch, image: image, videoBytes: 1 << 20)
        let said = self.said(of: "run dead")
        expectAllDeeds(said)
        #expect(try FileManager.default.contentsOfDirectory(atPath: scratch) == [])
        // The device disappears when its last holder closes it, which is this process.
        try volume.tearDown()
        #expect(attached(run: "dead").isEmpty)
        #expect(self.said(of: "run dead").isEmpty)
    }

    /// Two rigs that removed the same leftovers in turn each reported a part, or that it was in
    /// use.
    @Test func ofSeveralThatRemoveAtOnceOneSaysAll() async throws {
        let scratch = try scratch()
        for round in 1...5 {
            let run = "dead-at-once-\(round)"
            try await leave(PowerCutImage(run: run, owner: try Self.dead()), in: scratch)
            let results = folder.path
            let said = await withTaskGroup(of: [String].self) { group in
                for _ in 1...3 {
                    group.addTask { PowerCutLeftovers.ofDeadRigs(results: results).remove() }
                }
                return await group.reduce(into: []) { $0 += $1 }.filter { $0.contains(run) }
            }
            expectAllDeeds(said)
        }
    }

    /// Mounts an image and keeps nothing of it open, as a killed rig leaves it.
    private func leave(_ image: PowerCutImage, in scratch: String) async throws {
        let path = "\(scratch)/\(image.fileName)"
        let folder = "\(scratch)/\(PowerCutVolume.folderName)"
        #expect(FileManager.default.createFile(atPath: path, contents: nil))
        #expect(truncate(path, 4 << 20) == 0)
        let format = try await Subprocess.run(
            .path(FilePath(try #require(VolumeFileSystem.ext4.makerPath))),
            arguments: ["-q", "-F", path], output: .discarded)
        #expect(format.terminationStatus.isSuccess)
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
        let device = try LoopDevice(image: path)
        defer { device.close() }
        try VolumeMount.mount(device.path, as: .ext4, at: folder)
    }

    /// Resumed runs and replays use another scratch folder, and jobs one inside it.
    ///
    /// Their images used to stay there for good.
    @Test(arguments: [
        "scratch", "scratch/job-2", "scratch-2", "scratch-2/job-1", "scratch-replay-77",
    ])
    func anImageWithoutADeviceIsRemovedToo(name: String) throws {
        let scratch = try scratch(name)
        let image = PowerCutImage(run: "fallow", owner: try Self.dead())
        try write(10, to: "\(scratch)/\(image.fileName)", synced: false)
        try FileManager.default.createSymbolicLink(
            atPath: folder.file("latest"), withDestinationPath: "run")
        let said = self.said(of: "run fallow")
        #expect(said.count == 1)
        #expect(try FileManager.default.contentsOfDirectory(atPath: scratch) == [])
    }

    @Test func whatALivingRigOwnsIsLeftAlone() async throws {
        let scratch = try scratch()
        let volume = try await PowerCutVolume.make(in: scratch, run: "living", videoBytes: 1 << 20)
        try volume.wipe()
        #expect(said(of: "run living").isEmpty)
        #expect(attached(run: "living").count == 1)
        #expect(FileManager.default.fileExists(atPath: volume.state))
        // The run's own guardian knows that the run is over.
        let cleaned = PowerCutLeftovers.ofRun("living").remove()
        #expect(cleaned.count == 1)
        try volume.tearDown()
        #expect(attached(run: "living").isEmpty)
    }

    @Test func whatIsNoRigsIsLeftAlone() async throws {
        let scratch = try scratch()
        let file = "\(scratch)/somebody-elses.ext4"
        try write(1 << 20, to: file, synced: false)
        let device = try LoopDevice(image: file)
        defer { device.close() }
        _ = PowerCutLeftovers.ofDeadRigs(results: folder.path).remove()
        #expect(LoopDevice.attached.contains { $0.file == file && $0.device == device.path })
        #expect(FileManager.default.fileExists(atPath: file))
    }
}
