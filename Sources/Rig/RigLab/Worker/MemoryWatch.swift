/// How many processes of the whole machine the out-of-memory killer has killed since a moment: a
/// worker may die in its own control group or in an ancestor.
struct MemoryWatch: Sendable {
    private static let counters = "/proc/vmstat"

    private let before = Self.count(in: Self.counters)

    /// The processes killed since then; nil where the kernel does not count.
    var kills: Int? {
        guard let before, let now = Self.count(in: Self.counters) else { return nil }
        return now - before
    }

    /// The number in a file's `oom_kill` line; nil where the kernel does not count.
    static func count(in path: String) -> Int? {
        ProcessFacts.line(path, "oom_kill ").flatMap { Int($0) }
    }
}
