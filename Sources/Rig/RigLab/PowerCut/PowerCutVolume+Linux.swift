#if os(Linux)
    internal import Foundation
    internal import Glibc
    internal import RigModel
    internal import Subprocess
    internal import Synchronization
    internal import SystemPackage

    extension PowerCutVolume {
        /// The parts of a volume on this system.
        final class Parts: Sendable {
            private let image: String
            /// Nil once it is torn down.
            private let device: Mutex<LoopDevice?>

            private init(image: String, device: LoopDevice) {
                self.image = image
                self.device = Mutex(device)
            }
        }
    }

    // MARK: - Making

    extension PowerCutVolume.Parts {
        static func make(
            in scratch: String, image: PowerCutImage, bytes: Int64
        ) async throws -> PowerCutVolume.Parts {
            let image = try absolute("\(scratch)/\(image.fileName)")
            let folder = "\(scratch)/\(PowerCutVolume.folderName)"
            do {
                try createSparse(image, bytes: bytes)
                try await format(image)
                mkdir(folder, 0o755)
                let device = try LoopDevice(image: image)
                do {
                    try Ext4Mount.mount(device.path, at: folder)
                } catch {
                    device.close()
                    throw error
                }
                return PowerCutVolume.Parts(image: image, device: device)
            } catch {
                unlink(image)
                rmdir(folder)
                throw failure("make the volume \(image)", error)
            }
        }

        /// The absolute path, by which the kernel names the file to other processes.
        private static func absolute(_ path: String) throws -> String {
            guard let whole = realpath(path.parentFolder, nil) else {
                throw failure("find \(path)", Errno(rawValue: errno))
            }
            defer { free(whole) }
            return String(cString: whole) + "/" + (path as NSString).lastPathComponent
        }

        private static func createSparse(_ path: String, bytes: Int64) throws {
            let file = try FileDescriptor.open(
                FilePath(path), .writeOnly, options: [.create, .exclusiveCreate, .closeOnExec],
                permissions: .ownerReadWrite)
            defer { try? file.close() }
            guard ftruncate(file.rawValue, off_t(bytes)) == 0 else {
                throw Errno(rawValue: errno)
            }
        }

        private static func format(_ image: String) async throws {
            guard let program = PowerCutVolume.mkfs else { throw PowerCutVolume.withoutMkfs }
            let result = try await Subprocess.run(
                .path(FilePath(program)),
                arguments: [
                    "-q", "-F", "-m", "0", "-O", "has_journal",
                    "-E", "nodiscard,lazy_itable_init=1,lazy_journal_init=1", image,
                ], output: .discarded, error: .string(limit: 4096))
            guard case .exited(0) = result.terminationStatus else {
                throw RigError(
                    .failure,
                    "\(program) failed: \(result.standardError); free some space")
            }
        }

        fileprivate static func failure(_ deed: String, _ error: any Error) -> RigError {
            if let error = error as? RigError { return error }
            switch error as? Errno {
            case .notPermitted, .permissionDenied:
                return RigError(
                    .permission,
                    "no permission to \(deed): \(error); a power cut needs root and loop devices: "
                        + "use sudo, in a container --privileged, or --fault sigkill")
            case .resourceBusy:
                return RigError(
                    .failure,
                    "cannot \(deed): a process still has a file open there; end it (fuser -vm "
                        + "names it)")
            default:
                return RigError(
                    .failure,
                    "cannot \(deed): \(error); a power cut needs ext4 and loop devices, with "
                        + "Linux 5.8 or newer")
            }
        }
    }

    // MARK: - Using

    extension PowerCutVolume.Parts {
        func wipe(_ folder: String) throws {
            let files = FileManager.default
            do {
                for name in try files.contentsOfDirectory(atPath: folder)
                where name != "lost+found" {
                    try files.removeItem(atPath: "\(folder)/\(name)")
                }
                try files.createDirectory(
                    atPath: "\(folder)/state", withIntermediateDirectories: false)
                try Ext4Mount.sync(folder)
            } catch {
                throw Self.failure("empty the volume \(folder)", error)
            }
        }

        func cut(_ folder: String) throws {
            do {
                try Ext4Mount.cutPower(folder)
            } catch {
                throw Self.failure("cut the power of \(folder)", error)
            }
        }

        func remount(_ folder: String) throws {
            guard let device = device.withLock({ $0 }) else { return }
            do {
                try Ext4Mount.unmount(folder)
                // The open device keeps the file system's data in its cache: without this, the next
                // mount would find data that the cut has taken, beside what is on the disk.
                try device.dropCache()
                try Ext4Mount.mount(device.path, at: folder)
            } catch {
                throw Self.failure("mount \(folder) again", error)
            }
            try checkFreshness(folder)
            try checkSoundness(of: device, folder)
        }

        /// Checks that the folder is not still cut off.
        ///
        /// A mount namespace copied from this one still has the mount; the kernel then mounts the
        /// old file system again, and not what is on the disk.
        private func checkFreshness(_ folder: String) throws {
            do {
                try Ext4Mount.sync(folder)
            } catch {
                throw RigError(
                    .failure,
                    "\(folder) is still cut off after it was mounted again: another mount namespace "
                        + "has it, too (lsns -t mnt names them); end that one, or start none during a run"
                )
            }
        }

        /// Checks the file system: damage to it would be taken for a fault of the worker.
        private func checkSoundness(of device: LoopDevice, _ folder: String) throws {
            guard let errors = device.fileSystemErrors, errors > 0 else { return }
            throw RigError(
                .failure,
                "the kernel found \(errors) faults in the file system \(folder) after a power cut, so "
                    + "the run proves nothing; see dmesg, and try another kernel")
        }

        func tearDown(_ folder: String) throws {
            try device.withLock { device in
                guard let held = device else { return }
                do {
                    try Ext4Mount.unmount(folder)
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
    }

    // MARK: - What it needs

    extension PowerCutVolume {
        /// Checks that a power cut is possible, before anything is started.
        ///
        /// - Throws: ``RigError`` with exit code 77.
        package static func check() throws {
            guard geteuid() == 0 else {
                throw RigError(
                    .permission,
                    "--fault power-cut mounts a file system, and that needs root; run it with sudo, "
                        + "or use --fault sigkill")
            }
            guard LoopDevice.areThere else {
                throw RigError(
                    .permission,
                    "--fault power-cut needs loop devices, and there is no /dev/loop-control; run "
                        + "'modprobe loop', or the container with --privileged")
            }
            guard mkfs != nil else { throw withoutMkfs }
        }

        static var withoutMkfs: RigError {
            RigError(
                .permission,
                "--fault power-cut needs mkfs.ext4, which is not on the PATH; run 'apt-get install "
                    + "e2fsprogs'")
        }

        /// The path of `mkfs.ext4`, whose folder is not on every user's PATH.
        static var mkfs: String? {
            let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
            let folders = path.split(separator: ":").map(String.init) + ["/usr/sbin", "/sbin"]
            return folders.map { "\($0)/mkfs.ext4" }.first {
                FileManager.default.isExecutableFile(atPath: $0)
            }
        }
    }
#endif
