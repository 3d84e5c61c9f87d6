internal import Foundation
internal import Glibc
package import RigModel
internal import Subprocess
internal import Synchronization
internal import SystemPackage

/// A separate file system for the workers' state, whose power can be cut.
///
/// It is a file system in an image file of the run's scratch folder, mounted through a loop device.
/// A cut is the kernel's own shutdown (`EXT4_IOC_SHUTDOWN`, `XFS_IOC_GOINGDOWN`) without a last
/// flush of the journal: from then on no process can write, and the next mount finds what a power
/// cut would have left. One image serves all iterations of a job.
package final class PowerCutVolume: Sendable {
    static let folderName = "volume"
    /// The prefix of the names of jobs' own folders, in a run's scratch folder.
    package static let jobPrefix = "job-"

    package let folder: String
    package var state: String { "\(folder)/state" }

    private let image: String
    private let fileSystem: VolumeFileSystem
    /// Nil once it is torn down.
    private let device: Mutex<LoopDevice?>

    /// Creates an image, and mounts it; throws exit code 77 without permission, else 70.
    ///
    /// By the run's name its guardian and later runs find what is left of it.
    package static func make(
        in scratch: String, run: String, as fileSystem: VolumeFileSystem = .ext4, videoBytes: Int64
    ) async throws -> PowerCutVolume {
        try check(fileSystem)
        guard let owner = ProcessIdentity.own else {
            throw RigError(.failure, "the rig cannot read /proc/self; mount /proc for a power cut")
        }
        let image = PowerCutImage(run: run, owner: owner)
        return try await make(in: scratch, image: image, as: fileSystem, videoBytes: videoBytes)
    }

    static func make(
        in scratch: String, image: PowerCutImage, as fileSystem: VolumeFileSystem = .ext4,
        videoBytes: Int64
    ) async throws -> PowerCutVolume {
        // The absolute path, by which the kernel names the file to other processes.
        let image = "\(RealPath.of(scratch))/\(image.fileName)"
        let folder = "\(scratch)/\(folderName)"
        do {
            try createSparse(image, bytes: max(imageBytes(videoBytes), fileSystem.leastBytes))
            try await format(image, as: fileSystem)
            mkdir(folder, 0o755)
            let device = try LoopDevice(image: image)
            do {
                try VolumeMount.mount(device.path, as: fileSystem, at: folder)
            } catch {
                device.close()
                throw error
            }
            return PowerCutVolume(
                folder: folder, image: image, fileSystem: fileSystem, device: device)
        } catch {
            unlink(image)
            rmdir(folder)
            throw failure("make the volume \(image)", error)
        }
    }

    /// How many seconds a cut-off mount may live on in another mount namespace.
    private static let namespaceSeconds = 10.0

    private init(folder: String, image: String, fileSystem: VolumeFileSystem, device: LoopDevice) {
        (self.folder, self.image, self.fileSystem) = (folder, image, fileSystem)
        self.device = Mutex(device)
    }

    /// The image's size: the database, a WAL with everything once more, a journal, and rewrites;
    /// and what some stores reserve before they need it (etcd: twice 64 MB for its log).
    ///
    /// The image is sparse, so only what is used takes space.
    static func imageBytes(_ videoBytes: Int64) -> Int64 {
        let (bytes, overflow) = videoBytes.multipliedReportingOverflow(by: 3)
        return overflow ? .max : bytes.addingReportingOverflow(256 << 20).partialValue
    }

    /// Empties the volume, except for an empty folder ``state``, and makes that durable.
    package func wipe() throws {
        let files = FileManager.default
        try Self.explained("empty the volume \(folder)") {
            for name in try files.contentsOfDirectory(atPath: folder)
            where name != "lost+found" { try Removal.remove("\(folder)/\(name)") }
            try files.createDirectory(atPath: state, withIntermediateDirectories: false)
            try VolumeMount.sync(folder)
        }
    }

    /// Cuts the power: what is not on the device by now never will be.
    ///
    /// Processes that have files open there get errors from then on, and should be killed.
    package func cut() throws {
        try Self.explained("cut the power of \(folder)") { try VolumeMount.cutPower(folder) }
    }

    /// Mounts what the cut has left, as a restarted machine does; throws exit code 70 when a
    /// process still has a file open there, or a namespace has the mount.
    ///
    /// A mount namespace copied from this one meanwhile still has the mount; the kernel then mounts
    /// the old file system again, and not what is on the disk. Another program, such as a service
    /// that starts, may be the owner; this waits for a moment until it has ended.
    package func remount() throws {
        guard let device = device.withLock({ $0 }) else { return }
        let began = ContinuousClock.now
        while true {
            try Self.explained("mount \(folder) again") {
                try VolumeMount.unmount(folder)
                // The open device keeps the file system's data in its cache: without this, the next
                // mount would find data that the cut has taken, beside what is on the disk.
                try device.dropCache()
                try VolumeMount.mount(device.path, as: fileSystem, at: folder)
            }
            if (try? VolumeMount.sync(folder)) != nil { break }
            try RigError.require(
                (ContinuousClock.now - began).seconds < Self.namespaceSeconds, .failure,
                "\(folder) is still cut off after it was mounted again: another mount "
                    + "namespace has it, too (lsns -t mnt names them); end that one, or start "
                    + "none during a run")
            Pause.seconds(0.01)
        }
        try checkSoundness(of: device)
    }

    /// Unmounts, detaches and removes everything; a second call does nothing; throws exit code 70
    /// when a process still has a file open there.
    package func tearDown() throws {
        try device.withLock { device in
            guard let held = device else { return }
            do {
                try VolumeMount.unmount(folder)
            } catch Errno.invalidArgument, Errno.noSuchFileOrDirectory {
                // It is not mounted: remounting failed, or another process has cleaned up.
            } catch {
                throw Self.failure("unmount \(folder)", error)
            }
            held.close()
            device = nil
            unlink(image)
            rmdir(folder)
        }
    }

    /// Checks the file system: damage to it would be taken for a fault of the worker.
    ///
    /// Only ext4 counts its errors; XFS refuses to mount.
    private func checkSoundness(of device: LoopDevice) throws {
        guard let errors = device.fileSystemErrors, errors > 0 else { return }
        throw RigError.failure(
            "the kernel found \(errors) faults in the file system \(folder) after a power cut, so "
                + "the run proves nothing; see dmesg, and try another kernel")
    }

    // MARK: Making

    static func createSparse(_ path: String, bytes: Int64) throws {
        let file = try path.opened(.writeOnly, [.create, .exclusiveCreate])
        defer { try? file.close() }
        guard ftruncate(file.rawValue, off_t(bytes)) == 0 else { throw Errno(rawValue: errno) }
    }

    static func format(_ image: String, as fileSystem: VolumeFileSystem) async throws {
        guard let program = fileSystem.makerPath else { throw without(fileSystem) }
        let result = try await Subprocess.run(
            .path(FilePath(program)), arguments: Arguments(fileSystem.makerOptions + [image]),
            output: .discarded, error: .string(limit: 4096))
        guard case .exited(0) = result.terminationStatus else {
            let words = result.standardError.trimmingCharacters(in: .whitespacesAndNewlines)
            throw RigError(
                .failure, "\(program) failed: \(words); \(SystemFailure.remedyOfProgram)")
        }
    }

    /// Throws what cannot be done, and what would help, where `body` fails.
    static func explained(_ deed: String, _ body: () throws -> Void) throws(RigError) {
        do { try body() } catch { throw failure(deed, error) }
    }

    static func failure(_ deed: String, _ error: any Error) -> RigError {
        if let error = error as? RigError { return error }
        return switch error as? Errno {
        case .notPermitted, .permissionDenied:
            .permission(
                "no permission to \(deed): \(error); a power cut needs root and loop devices: "
                    + "use sudo, in a container --privileged, or --fault sigkill")
        case Errno(rawValue: ENODEV):
            .permission(
                "cannot \(deed): this kernel has no such file system; use another --disk, or "
                    + "another machine")
        case .noSpace, .diskQuotaExceeded, .fileTooLarge, .readOnlyFileSystem:
            .failure("cannot \(deed): \(SystemFailure(error))")
        case .resourceBusy:
            .failure(
                "cannot \(deed): a process still has a file open there; end it (fuser -vm "
                    + "names it)")
        default:
            .failure(
                "cannot \(deed): \(error); a power cut needs loop devices and a kernel with the "
                    + "file system, of Linux 5.8 or newer")
        }
    }

    /// Checks that there can be a volume, before anything is started; else throws exit code 77.
    package static func check(
        _ fileSystem: VolumeFileSystem = .ext4, for fault: Fault = .powerCut
    ) throws {
        try RigError.require(
            geteuid() == 0, .permission,
            "--fault \(fault.rawValue) mounts a file system, and that needs root; run it with "
                + "sudo, or use --fault sigkill")
        try RigError.require(
            LoopDevice.areThere, .permission,
            "--fault \(fault.rawValue) needs loop devices, and there is no /dev/loop-control; run "
                + "'modprobe loop', or the container with --privileged")
        guard fileSystem.makerPath != nil else { throw without(fileSystem) }
    }

    private static func without(_ fileSystem: VolumeFileSystem) -> RigError {
        RigError.permission(
            "--fault power-cut on \(fileSystem.rawValue) needs \(fileSystem.maker), which is not "
                + "on the PATH; run '\(fileSystem.installation)'")
    }
}
