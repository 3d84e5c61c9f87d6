internal import Foundation
internal import VideoCache

/// What the process was started with as its input, output and messages.
enum StandardStreams {
    /// Makes a reader that goes away, and a stream that is not there, harmless to the work.
    ///
    /// Without it a download into `| head` dies of SIGPIPE with its remainder unsaved, and where a
    /// stream was closed the next file that is opened takes its number, and then its messages.
    static func protect() {
        signal(SIGPIPE, SIG_IGN)
        // Opened to be read only: writing to it fails, as writing to a closed stream does.
        while case let stream = open("/dev/null", O_RDONLY), stream >= 0 {
            if stream > STDERR_FILENO {
                close(stream)
                return
            }
        }
    }

    /// Writes a result, and a line break, to standard output.
    ///
    /// - Throws: ``CacheError`` when it cannot be written; a reader that has gone away has seen
    ///   all it wanted, and is no error.
    static func writeResult(_ text: String) throws {
        let bytes = Array((text + "\n").utf8)
        var done = 0
        while done < bytes.count {
            let count = bytes.withUnsafeBytes { all in
                let rest = UnsafeRawBufferPointer(rebasing: all[done...])
                return write(STDOUT_FILENO, rest.baseAddress, rest.count)
            }
            if count < 0 {
                let code = errno
                if code == EINTR { continue }
                if code == EPIPE { return }
                throw CacheError.inputOutput(
                    path: "standard output", reason: String(cString: strerror(code)))
            }
            done += count
        }
    }
}
