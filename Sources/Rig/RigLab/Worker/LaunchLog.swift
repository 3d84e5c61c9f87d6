internal import Foundation
internal import SystemPackage

/// Where the launches of an iteration, and its kills, fall in the log that they share.
struct LaunchLog: Sendable {
    let path: String

    /// The most bytes of one launch that are kept as evidence: its first and its last ones.
    static let mostBytes = 256 << 10
    private static let firstBytes = 64 << 10

    private var marks: String { "\(path).launches" }
    private func mark(ofKill kill: Int) -> String { "\(path).kill-\(kill)" }

    func noteLaunch() {
        // Appended: a rig that ends while it writes leaves what is known of earlier launches.
        guard let file = try? marks.opened(.writeOnly, [.create, .append]) else { return }
        defer { try? file.close() }
        _ = try? file.writeAll("\(size)\n".utf8)
    }

    /// Notes that the launch that begins last has been killed; once per kill.
    func noteEnd(ofKill kill: Int) {
        let mark = mark(ofKill: kill)
        guard !FileManager.default.fileExists(atPath: mark) else { return }
        let begun = numbers(in: marks).count
        try? "\(size)\n\(begun)\n".write(toFile: mark, atomically: false, encoding: .utf8)
    }

    /// Writes the logs of the launches up to a kill as `launch-1.log` and so on.
    func keepLaunches(upToKill kill: Int, in folder: String) throws {
        let end = numbers(in: mark(ofKill: kill))
        guard end.count == 2 else { return }
        let starts = numbers(in: marks).prefix(Int(end[1]))
        for (index, start) in starts.enumerated() {
            let next = index + 1 < starts.count ? starts[index + 1] : end[0]
            try copy(start..<max(start, next), to: "\(folder)/launch-\(index + 1).log")
        }
    }

    /// Writes the whole log, bounded as that of a launch is.
    func keep(as target: String) throws { try copy(0..<size, to: target) }
    private var size: UInt64 { UInt64(path.fileSize ?? 0) }

    private func numbers(in path: String) -> [UInt64] {
        ((try? String(contentsOfFile: path, encoding: .utf8)) ?? "")
            .split(separator: "\n").compactMap { UInt64($0) }
    }

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

extension IterationFolder {
    var launches: LaunchLog { LaunchLog(path: log) }
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
