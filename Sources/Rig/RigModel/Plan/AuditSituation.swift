/// One situation in which `rig audit` tries a program; ``all`` is the whole audit, and
/// ``AuditMistake`` says what failures in it usually mean.
package struct AuditSituation: Sendable, Hashable {
    package let name: String
    /// What is done to the program, in the words of the table.
    package let title: String
    package let options: [String]
    /// The share of the time, relative to the others'.
    package let weight: Int
    /// The system calls of which a program must make one to be tried; empty for any program.
    private let calls: Set<String>

    private init(
        _ name: String, _ title: String, _ options: [String], weight: Int = 2,
        calls: Set<String> = []
    ) {
        (self.name, self.title, self.options, self.weight) = (name, title, options, weight)
        self.calls = calls
    }

    private static func failing(_ error: CallError) -> [String] {
        ["--trigger", "syscall", "--fault", Fault.callError.rawValue] + CallFailure(error).words
    }

    /// False for a program that makes no call that this is about; `made` is nil if not known.
    package func isPossible(making made: Set<String>?) -> Bool {
        guard let made, !calls.isEmpty else { return true }
        return !calls.isDisjoint(with: made)
    }

    /// True for the first two: without these nothing is known of a program's kills.
    package var isEssential: Bool { Self.all.prefix(2).contains(self) }

    /// The situations, the most telling first, because the time may end before the last.
    package static let all: [AuditSituation] = [
        AuditSituation("anywhere", "killed all over its work", [], weight: 4),
        AuditSituation(
            "calls", "killed at its calls to the system, to the last one",
            ["--trigger", "syscall", "--stratify"], weight: 4),
        AuditSituation(
            "end", "killed at the end of its work", ["--trigger", "time", "--at", Trigger.end]),
        AuditSituation("changed", "another version after the kill", ["--origin-fault", "changed"]),
        AuditSituation(
            "shortened", "a shorter version after the kill", ["--origin-fault", "shortened"]),
        AuditSituation("longer", "a longer version after the kill", ["--origin-fault", "longer"]),
        AuditSituation(
            "ignored-range", "the whole in place of the rest", ["--origin-fault", "ignore_range"]),
        AuditSituation("cut", "an answer that is cut once", ["--origin-fault", "truncate:1MB:1"]),
        AuditSituation("unavailable", "a 503 once", ["--origin-fault", "status:503:1"]),
        AuditSituation("full-disk", "the disk becomes full", failing(.enospc)),
        AuditSituation("io-error", "a call fails with an input/output error", failing(.eio)),
        AuditSituation(
            "ignored-if-range", "If-Range answered by the whole",
            ["--origin-fault", "refuse_if_range"]),
        AuditSituation(
            "earlier", "a range that begins earlier", ["--origin-fault", "early_range"]),
        AuditSituation(
            "refused-range", "a range is refused (416)", ["--origin-fault", "always_416"]),
        AuditSituation("no-total", "a range without a total", ["--origin-fault", "unknown_total"]),
        AuditSituation("chain", "killed three times in a row", ["--kills", "3"]),
        AuditSituation("again", "started again when it is done", ["--relaunch", "again"]),
        AuditSituation("other", "started again for another file", ["--relaunch", "other"]),
        AuditSituation("twice", "two at once after the kill", ["--relaunch", "twice"]),
        AuditSituation(
            "rename-error", "a rename fails", failing(.renameEIO), weight: 1,
            calls: ["rename", "renameat", "renameat2"]),
        AuditSituation(
            "sync-error", "a sync fails", failing(.fsyncEIO), weight: 1,
            calls: ["fsync", "fdatasync", "sync_file_range", "msync", "syncfs"]),
        AuditSituation(
            "power-cut", "the power is cut (modelled)", ["--fault", "power-cut-torn"], weight: 3),
        AuditSituation(
            "real-power-cut", "the power is cut (a real file system)", ["--fault", "power-cut"]),
    ]
}
