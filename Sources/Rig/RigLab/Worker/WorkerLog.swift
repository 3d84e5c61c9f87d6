internal import Foundation

enum WorkerLog {
    /// The log's last line, or the error before lines of help, of 300 characters; nil for none.
    static func tail(_ path: String, from offset: UInt64 = 0) -> String? {
        guard let written = lines(path, from: offset) else { return nil }
        let telling = written.suffix(6).last { $0.lowercased().hasPrefix("error:") }
        return (telling ?? written.last).map { String($0.prefix(300)) }
    }

    /// The lines of the log's last 4 KB that are not empty; nil when there is no log.
    static func lines(_ path: String, from offset: UInt64 = 0) -> [Substring]? {
        guard let handle = FileHandle(forReadingAtPath: path) else { return nil }
        defer { try? handle.close() }
        let end = (try? handle.seekToEnd()) ?? 0
        try? handle.seek(toOffset: min(end, max(offset, end > 4096 ? end - 4096 : 0)))
        let text = String(decoding: (try? handle.readToEnd()) ?? Data(), as: UTF8.self)
        return text.split(whereSeparator: \.isNewline).filter { !$0.allSatisfy(\.isWhitespace) }
    }

    /// The tail after a colon, to append to a message; empty when there is none.
    static func ending(_ path: String) -> String { tail(path).map { ": \($0)" } ?? "" }
}
