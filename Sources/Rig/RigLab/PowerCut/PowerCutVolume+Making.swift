internal import Foundation
internal import Glibc
package import RigModel
internal import Subprocess
internal import SystemPackage

extension PowerCutVolume {
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
