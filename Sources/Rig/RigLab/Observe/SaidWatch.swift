internal import Foundation
internal import RigModel
internal import Synchronization

/// Watches what a program says, line by line.
///
/// A program that fetches nothing has begun when it is launched: the clock of a timed kill runs from
/// the first look at it.
final class SaidWatch: WorkerWatch {
    private struct Seen {
        var bytes: UInt64
        var lines = 0
        var firstLine: ContinuousClock.Instant?
    }

    private static let begun = ByteRanges([0..<1])

    /// The file with the lines; nil for a program that says nothing by lines.
    private let path: String?
    private let seen: Mutex<Seen>

    /// Watches a program that is about to be launched: what the file has already is not counted.
    init(_ path: String?) {
        self.path = path
        seen = Mutex(Seen(bytes: UInt64(path?.fileSize ?? 0)))
    }

    /// The whole lines that the program has said since.
    var lines: Int {
        guard let path else { return 0 }
        return seen.withLock { seen in
            guard UInt64(path.fileSize ?? 0) > seen.bytes,
                let file = FileHandle(forReadingAtPath: path)
            else { return seen.lines }
            defer { try? file.close() }
            try? file.seek(toOffset: seen.bytes)
            let added = (try? file.readToEnd()) ?? Data()
            seen.bytes += UInt64(added.count)
            seen.lines += added.count { $0 == UInt8(ascii: "\n") }
            if seen.lines > 0, seen.firstLine == nil { seen.firstLine = .now }
            return seen.lines
        }
    }

    var firstLine: ContinuousClock.Instant? { seen.withLock { $0.firstLine } }

    var glance: Glance { Glance(received: Self.begun, progress: UInt64(lines)) }
}
