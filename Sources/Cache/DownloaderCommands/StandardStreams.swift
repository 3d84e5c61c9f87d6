internal import Foundation
internal import VideoCache

enum StandardStreams {
    /// Protects the work from a reader that goes away, a limit of file size, and closed streams:
    /// else SIGPIPE or SIGXFSZ would kill it with its remainder unsaved, and the next opened file
    /// would get a closed stream's number, and its messages.
    static func protect() {
        signal(SIGPIPE, SIG_IGN)
        signal(SIGXFSZ, SIG_IGN)
        // Read only, so that writing to it fails, as with a closed stream.
        while case let stream = open("/dev/null", O_RDONLY), stream >= 0 {
            if stream > STDERR_FILENO {
                close(stream)
                return
            }
        }
    }

    /// Writes a result and a line break; a reader that has gone away has read all it wanted.
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
                throw CacheError.ofOutput("standard output", code)
            }
            done += count
        }
    }
}

extension String {
    /// The text without the characters, but one, that could steer a terminal.
    func shown(keeping kept: Unicode.Scalar? = nil) -> String {
        String(
            String.UnicodeScalarView(
                unicodeScalars.map { scalar -> Unicode.Scalar in
                    let steers = scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value)
                    return steers && scalar != kept ? "?" : scalar
                }))
    }
}

extension Encodable {
    func json() throws -> String {
        let encoder = JSONEncoder()
        encoder.keyEncodingStrategy = .convertToSnakeCase
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(self), as: UTF8.self)
    }
}
