internal import Foundation
internal import Glibc
internal import RigModel
internal import Subprocess
internal import SystemPackage

extension PowerCutVolume {
    static func createSparse(_ path: String, bytes: Int64) throws {
        let file = try FileDescriptor.open(
            FilePath(path), .writeOnly, options: [.create, .exclusiveCreate, .closeOnExec],
            permissions: .ownerReadWrite)
        defer { try? file.close() }
        guard ftruncate(file.rawValue, off_t(bytes)) == 0 else {
            throw Errno(rawValue: errno)
        }
    }

    static func format(_ image: String) async throws {
        guard let program = mkfs else { throw withoutMkfs }
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

    static func failure(_ deed: String, _ error: any Error) -> RigError {
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
