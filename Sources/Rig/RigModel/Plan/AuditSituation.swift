/// One situation in which `rig audit` tries a program.
///
/// The list ``all`` is the whole audit: a situation is added there, and nowhere else.
package struct AuditSituation: Sendable, Hashable {
    /// The name of its run and of that run's folder.
    package let name: String
    /// What is done to the program, in the words of the table.
    package let title: String
    /// The options of `rig kill-test` that make it.
    package let options: [String]
    /// The share of the time, relative to the others'.
    package let weight: Int
    /// What a program that fails here usually does.
    package let mistake: String
    /// The system calls of which a program must make one to be tried; empty for any program.
    private let calls: Set<String>

    private init(
        _ name: String, _ title: String, _ options: [String], weight: Int = 2,
        calls: Set<String> = [], mistake: String
    ) {
        self.name = name
        self.title = title
        self.options = options
        self.weight = weight
        self.mistake = mistake
        self.calls = calls
    }

    /// The options by which a call fails.
    private static func failing(_ error: CallError) -> [String] {
        ["--trigger", "syscall", "--fault", Fault.callError.rawValue] + CallFailure(error).words
    }

    /// False for a program that makes no call that this is about.
    ///
    /// - Parameter made: the names of the calls that it makes; nil where they are not known.
    package func isPossible(making made: Set<String>?) -> Bool {
        guard let made, !calls.isEmpty else { return true }
        return !calls.isDisjoint(with: made)
    }

    /// True for the first two: without these nothing is known of a program's kills.
    package var isEssential: Bool { Self.all.prefix(2).contains(self) }

    /// The situations, the most telling first, because the time may end before the last.
    package static let all: [AuditSituation] = [
        AuditSituation(
            "anywhere", "killed all over its work", [], weight: 4,
            mistake:
                "It notes as done what is not on the disk, or goes on at a place that its file "
                + "does not have."),
        AuditSituation(
            "calls", "killed at its calls to the system, to the last one",
            ["--trigger", "syscall", "--stratify"], weight: 4,
            mistake:
                "It joins, renames or removes files in steps, and takes the half of it for the "
                + "whole after a kill."),
        AuditSituation(
            "end", "killed at the end of its work", ["--trigger", "time", "--at", Trigger.end],
            mistake:
                "It makes its file in steps when all has come, and takes the half of it for the "
                + "whole after a kill."),
        AuditSituation(
            "changed", "another version after the kill", ["--origin-fault", "changed"],
            mistake: "It asks for the rest without If-Range, and joins two versions."),
        AuditSituation(
            "shortened", "a shorter version after the kill", ["--origin-fault", "shortened"],
            mistake: "It takes 416, or a length that it has already, for the end of its work."),
        AuditSituation(
            "longer", "a longer version after the kill", ["--origin-fault", "longer"],
            mistake: "It asks for the rest without If-Range, and joins two versions."),
        AuditSituation(
            "whole", "the whole in place of the rest", ["--origin-fault", "ignore_range"],
            mistake: "It appends a 200 to what is there; only a 206 is the rest."),
        AuditSituation(
            "cut", "an answer that is cut once", ["--origin-fault", "truncate:1MB:1"],
            mistake: "It does not compare what came with Content-Length, and calls a part done."),
        AuditSituation(
            "unavailable", "a 503 once", ["--origin-fault", "status:503:1"],
            mistake: "It saves the page of an error as the file."),
        AuditSituation(
            "full-disk", "the disk becomes full", failing(.enospc),
            mistake:
                "It does not look at how its writes end, and calls the half of its file done."),
        AuditSituation(
            "io-error", "a call fails with an input/output error", failing(.eio),
            mistake: "It does not look at how its calls end, and calls its work done."),
        AuditSituation(
            "refused", "If-Range answered by the whole", ["--origin-fault", "refuse_if_range"],
            mistake: "It appends a 200 to what is there; only a 206 is the rest."),
        AuditSituation(
            "earlier", "a range that begins earlier", ["--origin-fault", "early_range"],
            mistake: "It does not look in Content-Range where an answer begins."),
        AuditSituation(
            "no-range", "a range is refused (416)", ["--origin-fault", "always_416"],
            mistake:
                "It takes 416 for the end of its work, without a look at the length in "
                + "Content-Range."),
        AuditSituation(
            "no-total", "a range without a total", ["--origin-fault", "unknown_total"],
            mistake: "It takes the total from Content-Range although that may be '*'."),
        AuditSituation(
            "chain", "killed three times in a row", ["--kills", "3"],
            mistake: "Its recovery is not safe against a kill."),
        AuditSituation(
            "again", "started again when it is done", ["--relaunch", "again"],
            mistake: "It does not recognise its own finished work."),
        AuditSituation(
            "other", "started again for another file", ["--relaunch", "other"],
            mistake: "What it keeps of a file does not say of which address that is."),
        AuditSituation(
            "twice", "two at once after the kill", ["--relaunch", "twice"],
            mistake: "It has no lock, and two processes write one file."),
        AuditSituation(
            "rename-error", "a rename fails", failing(.renameEIO), weight: 1,
            calls: ["rename", "renameat", "renameat2"],
            mistake: "It does not look at how its rename ends, and its file has not its name."),
        AuditSituation(
            "sync-error", "a sync fails", failing(.fsyncEIO), weight: 1,
            calls: ["fsync", "fdatasync", "sync_file_range", "msync", "syncfs"],
            mistake: "What it does about a sync that fails damages its file, or never ends."),
        AuditSituation(
            "power-cut", "the power is cut (modelled)", ["--fault", "power-cut-torn"], weight: 3,
            mistake: "It notes as done what it has not synced (fsync) before."),
        AuditSituation(
            "real-power-cut", "the power is cut (a real file system)", ["--fault", "power-cut"],
            mistake: "It notes as done what it has not synced (fsync) before."),
    ]
}
