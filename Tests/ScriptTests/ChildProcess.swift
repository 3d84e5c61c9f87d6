import Foundation
import Glibc
import TestSupport

/// A child process that is waited for by its id.
///
/// Foundation's `Process` passes on the signals that Swift's threads block, so that a script under
/// test could not end what it started. It also waits for grandchildren.
enum ChildProcess {
    /// Why a child could not be started or waited for.
    struct Failure: Error {
        let reason: String
    }

    private typealias CloseFrom =
        @convention(c) (UnsafeMutablePointer<posix_spawn_file_actions_t>, Int32) -> Int32

    // A glibc function that its header declares for GNU programs only.
    private static let closeFrom = dlsym(nil, "posix_spawn_file_actions_addclosefrom_np").map {
        unsafeBitCast($0, to: CloseFrom.self)
    }

    /// How long a command may take: scripts under test build nothing.
    private static let limit = Duration.seconds(300)

    /// Runs a command and returns its exit code, or 128 plus the number of the signal that ended
    /// it.
    static func run(_ command: [String], environment: [String]) throws -> Int32 {
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var noSignals = sigset_t()
        sigemptyset(&noSignals)
        posix_spawnattr_setsigmask(&attributes, &noSignals)
        // Do not pass on files and sockets that other tests have open: a port would stay taken.
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        let flags = POSIX_SPAWN_SETSIGMASK
        _ = Self.closeFrom?(&actions, 3)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawnattr_setflags(&attributes, Int16(flags))

        let arguments = command.map { strdup($0) }
        let variables = environment.map { strdup($0) }
        defer { (arguments + variables).forEach { free($0) } }
        var child: pid_t = 0
        let code = posix_spawn(
            &child, command[0], &actions, &attributes, arguments + [nil], variables + [nil])
        guard code == 0 else { throw Failure(reason: String(cString: strerror(code))) }
        var status: Int32 = 0
        do {
            try blockUntil("the end of \(command.joined(separator: " "))", within: limit) {
                let ended = waitpid(child, &status, WNOHANG)
                guard ended >= 0 || errno == EINTR else {
                    throw Failure(reason: String(cString: strerror(errno)))
                }
                return ended == child
            }
        } catch let error as NeverHappened {
            kill(child, SIGKILL)
            waitpid(child, &status, 0)
            throw error
        }
        let signal = status & 0x7F
        return signal == 0 ? (status >> 8) & 0xFF : 128 + signal
    }
}
