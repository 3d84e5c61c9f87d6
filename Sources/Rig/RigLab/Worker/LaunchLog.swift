internal import Foundation
internal import Synchronization

/// Where the launches of an iteration, and its kills, fall in the log that they share.
final class LaunchLog: Sendable {
    private struct Marks {
        var starts: [UInt64] = []
        /// Where the log ended at each kill, and how many launches there had been.
        var kills: [Int: (end: UInt64, launches: Int)] = [:]
    }

    let path: String
    private let marks = Mutex(Marks())

    /// The most bytes of one launch that are kept as evidence: its first and its last ones.
    static let mostBytes = 256 << 10
    private static let firstBytes = 64 << 10

    init(path: String) { self.path = path }

    func noteLaunch() { marks.withLock { $0.starts.append(size) } }

    /// Notes that the launch that begins last has been killed; once per kill.
    func noteEnd(ofKill kill: Int) {
        marks.withLock { marks in
            if marks.kills[kill] == nil { marks.kills[kill] = (size, marks.starts.count) }
        }
    }

    /// Writes the logs of the launches up to a kill as `launch-1.log` and so on.
    func keepLaunches(upToKill kill: Int, in folder: String) throws {
        let marks = marks.withLock { $0 }
        guard let end = marks.kills[kill] else { return }
        let starts = marks.starts.prefix(end.launches)
        for (index, start) in starts.enumerated() {
            let next = index + 1 < starts.count ? starts[index + 1] : end.end
            try copy(start..<max(start, next), to: "\(folder)/launch-\(index + 1).log")
        }
    }

    /// Writes the whole log, bounded as that of a launch is.
    func keep(as target: String) throws { try copy(0..<size, to: target) }
    private var size: UInt64 { UInt64(path.fileSize ?? 0) }

    private func copy(_ range: Range<UInt64>, to target: String) throws {
        guard let log = FileHandle(forReadingAtPath: path) else { return }
        defer { try? log.close() }
        func bytes(_ part: Range<UInt64>) throws -> Data {
            try log.seek(toOffset: part.lowerBound)
            return try log.read(upToCount: part.count) ?? Data()
        }
        let surplus = range.count - Self.mostBytes
        var kept = Data()
        if surplus > 0 {
            let cut = range.lowerBound + UInt64(Self.firstBytes)
            kept = try bytes(range.lowerBound..<cut)
            kept += Data("\n[rig: \(surplus) bytes are left out here]\n".utf8)
            kept += try bytes(cut + UInt64(surplus)..<range.upperBound)
        } else if !range.isEmpty {
            kept = try bytes(range)
        }
        try kept.write(to: URL(fileURLWithPath: target))
    }
}

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
