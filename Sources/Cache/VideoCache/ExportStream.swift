internal import Foundation

/// A device, a FIFO or the standard output; each wait for a reader ends when it is cancelled.
package final class ExportStream: ExportTarget {
    // A pipe that is ready takes as much without blocking (pipe(7), PIPE_BUF).
    private static let mostAtOnce = 4096
    private static let patience: Int32 = 50

    private let name: String
    private let descriptor: Int32
    private let isOwn: Bool
    private let isPlain: Bool
    private let cancellation: Cancellation
    private var position: Int64 = 0

    /// Opens a stream, with nil the standard output; waits for the reader of a FIFO.
    package init(path: String?, cancellation: Cancellation) throws {
        name = path ?? "standard output"
        isOwn = path != nil
        self.cancellation = cancellation
        descriptor = try path.map { try Self.opened($0, cancellation) } ?? STDOUT_FILENO
        isPlain = FileFacts(of: descriptor)?.kind == S_IFREG
    }

    deinit { if isOwn { close(descriptor) } }

    private static func opened(_ path: String, _ cancellation: Cancellation) throws -> Int32 {
        if let number = OutputPlace.descriptor(path) {
            // By its name it would be opened anew, at the beginning of a file that is appended to.
            let copy = dup(number)
            guard copy >= 0 else { throw OutputPlace.refusal(path, errno) }
            return copy
        }
        while true {
            let descriptor = open(path, O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
            if descriptor >= 0 { return descriptor }
            let code = errno
            if code == EINTR { continue }
            // Without O_NONBLOCK, a FIFO that nothing reads would block past every cancellation.
            guard code == ENXIO, FileFacts(path)?.kind == S_IFIFO else {
                throw OutputPlace.refusal(path, code)
            }
            if cancellation.isCancelled { throw TransportError.cancelled }
            poll(nil, 0, patience)
        }
    }

    package func write(_ bytes: UnsafeRawBufferPointer, at offset: Int64) throws {
        // Behind a gap nothing can be put right any more: the export fails at its end.
        guard offset == position else { return }
        var done = 0
        while done < bytes.count {
            try waitUntilReady()
            let rest = UnsafeRawBufferPointer(rebasing: bytes[done...])
            let count = systemWrite(
                descriptor, rest.baseAddress,
                isPlain ? rest.count : min(rest.count, Self.mostAtOnce))
            if count < 0, [EINTR, EAGAIN].contains(errno) { continue }
            guard count > 0 else {
                let code = errno
                throw code == EFBIG ? CacheError.fileTooLarge(path: name) : .ofSystem(name, code)
            }
            done += count
        }
        position += Int64(bytes.count)
    }

    private func waitUntilReady() throws {
        var ready = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        repeat {
            if cancellation.isCancelled { throw TransportError.cancelled }
        } while poll(&ready, 1, Self.patience) == 0
    }

    func publish() {}

    func abandon() {}
}
