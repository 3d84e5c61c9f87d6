import Foundation
import Glibc
import TestSupport
@testable import VideoCache

/// A separate process that fills a cache until it is killed.
final class FillerProcess {
    struct Failure: Error {
        let text: String
    }

    private let process: pid_t
    private let steps: Int32
    private var isOver = false

    init(folder: String, layout: StorageLayout, capacity: Int64, seed: UInt64) throws {
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else { throw Failure(text: "no pipe") }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO)
        let words = [Self.program, folder, layout.rawValue, "\(capacity)", "\(seed)"]
        let arguments = words.map { strdup($0) } + [nil]
        defer { arguments.forEach { free($0) } }
        var process: pid_t = 0
        let code = posix_spawn(&process, Self.program, &actions, nil, arguments, environ)
        close(ends[1])
        guard code == 0 else { throw Failure(text: "cannot run \(Self.program): \(code)") }
        self.process = process
        steps = ends[0]
    }

    deinit {
        if !isOver {
            kill(process, SIGKILL)
            waitpid(process, nil, 0)
        }
        close(steps)
    }

    private static let program = BuiltPrograms.path("CacheFiller")

    /// Waits until the process has done this many more operations.
    func waitForSteps(_ count: Int) throws {
        var memory = [UInt8](repeating: 0, count: 1)
        for _ in 0..<count {
            var wait = pollfd(fd: steps, events: Int16(POLLIN), revents: 0)
            guard poll(&wait, 1, 60_000) == 1 else { throw Failure(text: "it stands still") }
            guard read(steps, &memory, 1) == 1 else { throw Failure(text: "it ended by itself") }
        }
    }

    /// Kills the process, and checks that the kill is what ended it.
    func killNow() throws {
        guard kill(process, SIGKILL) == 0 else { throw Failure(text: "no process to kill") }
        var status: Int32 = 0
        guard waitpid(process, &status, 0) == process, status & 0x7F == SIGKILL else {
            throw Failure(text: "it ended with status \(status)")
        }
        isOver = true
    }

    /// True if the bytes are those that the process saves there.
    static func isRight(_ bytes: [UInt8], at range: ByteRange, of video: CachedVideo) -> Bool {
        let version = video.information.etag.flatMap { Int($0.dropFirst().dropLast()) } ?? 0
        let shift = ((Int(video.url) ?? 0) * 7919 + version * 104_729) % (pattern.count / 2)
        return bytes.withUnsafeBytes { found in
            pattern.withUnsafeBytes { all in
                let right = all[Int(range.offset) + shift..<Int(range.end) + shift]
                guard let mine = found.baseAddress, found.count == right.count,
                    let theirs = UnsafeRawBufferPointer(rebasing: right).baseAddress
                else { return false }
                return memcmp(mine, theirs, found.count) == 0
            }
        }
    }

    private static let pattern = videoBytes(1 << 19)
}
