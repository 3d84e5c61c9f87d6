internal import Foundation

/// How many processes the out-of-memory killer has killed since a moment.
///
/// The count covers the whole machine: a worker may die in its own control group or in an ancestor.
struct MemoryWatch: Sendable {
    private let before = Self.count

    /// The processes killed since then; nil where the kernel does not count.
    var kills: Int? {
        guard let before, let now = Self.count else { return nil }
        return now - before
    }

    private static var count: Int? {
        guard let text = try? String(contentsOfFile: "/proc/vmstat", encoding: .utf8) else {
            return nil
        }
        let line = text.split(separator: "\n").first { $0.hasPrefix("oom_kill ") }
        return line.flatMap { Int($0.dropFirst("oom_kill ".count)) }
    }
}
