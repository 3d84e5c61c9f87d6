internal import Foundation

/// How many processes the kernel has killed for want of memory since a moment.
///
/// The count is that of the whole machine: a worker may die in a group of its own, or in one above it.
struct MemoryWatch: Sendable {
    private let before = Self.count

    /// The processes since then; nil where the kernel does not count.
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
