package import RigModel

#if os(Linux)
    internal import CFileSystem
    internal import Foundation
    internal import Glibc
#endif

/// Keeps a worker from changing files elsewhere than where the rig looks, and from what other
/// processes have open (`landlock(7)`).
///
/// State that lies elsewhere would be lost by no kill and no power cut, and the rig's own descriptor of
/// the video is the video.
package enum Confinement {
    /// The hidden command of `rig` that becomes the worker.
    package static let commandName = "confine"

    /// True where the kernel can do it.
    package static var isPossible: Bool {
        #if os(Linux)
            // The first version has every move to another folder fail, which programs do not expect.
            landlock_version() > 1
        #else
            false
        #endif
    }

    /// Devices and settings that are no place to keep anything.
    private static let harmless = [
        "/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom", "/dev/tty",
        "/dev/ptmx", "/dev/pts", "/proc",
    ]

    /// A command that may write below some folders only.
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

    /// The life of that command: confines this process, and becomes the worker.
    ///
    /// - Parameter arguments: how many folders there are, the folders, and the worker's command.
    /// - Returns: why it could not, never where it could.
    package static func become(_ arguments: [String]) -> RigError {
        #if os(Linux)
            guard let first = arguments.first, let count = Int(first), count >= 0,
                arguments.count > count + 1
            else { return RigError(.usage, "\(commandName) is for the rig itself") }
            let folders = Array(arguments[1...count])
            let command = Array(arguments[(count + 1)...])
            // What programs share by System V's calls outlives them; only root may have it apart.
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
        #else
            return RigError(.failure, "this system cannot confine a worker")
        #endif
    }

    #if os(Linux)
        private static func enter(_ folders: [String]) -> Bool {
            let version = landlock_version()
            let rules = landlock_create(version)
            guard rules >= 0 else { return false }
            defer { close(rules) }
            for path in folders + harmless {
                let place = place_open(path)
                // One that is not there cannot be written to.
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
    #endif
}
