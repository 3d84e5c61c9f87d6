internal import CFileSystem
internal import Foundation
internal import Glibc
package import RigModel

/// Keeps a worker from changing files outside the places that the rig inspects, and from what other
/// processes have open (`landlock(7)`).
///
/// State elsewhere would survive every kill and every power cut, and the rig's own descriptor of
/// the video would give the worker the video itself.
package enum Confinement {
    /// The hidden command of `rig` that becomes the worker.
    package static let commandName = "confine"

    /// True where the kernel supports it.
    package static var isPossible: Bool {
        // In the first version moves to another folder fail, which programs do not expect.
        landlock_version() > 1
    }

    /// Devices and settings that cannot store anything.
    private static let harmless = [
        "/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom", "/dev/tty",
        "/dev/ptmx", "/dev/pts", "/proc",
    ]

    /// A command that may write only below some folders.
    ///
    /// - Parameters:
    ///   - command: program and arguments.
    ///   - rig: the `rig` program.
    ///   - folders: where it may write.
    /// - Returns: the command itself where the kernel cannot confine it, or it may write anywhere.
    static func command(_ command: [String], by rig: String, to folders: [String]) -> [String] {
        guard isPossible, !folders.contains("/") else { return command }
        return [rig, commandName, "\(folders.count)"] + folders + command
    }

    /// Runs that command: confines this process, and becomes the worker.
    ///
    /// - Parameter arguments: how many folders there are, the folders, and the worker's command.
    /// - Returns: why it failed; it does not return on success.
    package static func become(_ arguments: [String]) -> RigError {
        guard let first = arguments.first, let count = Int(first), count >= 0,
            arguments.count > count + 1
        else { return RigError(.usage, "\(commandName) is for the rig itself") }
        let folders = Array(arguments[1...count])
        let command = Array(arguments[(count + 1)...])
        // System V IPC objects outlive their programs; only root can give a worker its own.
        _ = communication_leave()
        guard enter(folders) else {
            let reason = String(cString: strerror(errno))
            return RigError(.failure, "the worker cannot be confined: \(reason)")
        }
        let words = command.map { strdup($0) } + [nil]
        execvp(command[0], words)
        let reason = String(cString: strerror(errno))
        return RigError(
            .unavailable, "cannot start the worker \(command[0]): \(reason); check its path")
    }

    private static func enter(_ folders: [String]) -> Bool {
        let version = landlock_version()
        let rules = landlock_create(version)
        guard rules >= 0 else { return false }
        defer { close(rules) }
        for path in folders + harmless {
            let place = place_open(path)
            // A path that does not exist cannot be written to.
            guard place >= 0 else { continue }
            defer { close(place) }
            var facts = stat()
            fstat(place, &facts)
            let isFolder = facts.st_mode & S_IFMT == S_IFDIR
            guard landlock_allow(rules, place, isFolder ? 1 : 0, version) == 0 else {
                return false
            }
        }
        return landlock_enter(rules) == 0
    }
}
