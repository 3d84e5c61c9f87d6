internal import Glibc

/// What identifies the processes of a run, whatever their parents are by now.
struct RunMark: Sendable {
    static let runVariable = "RIG_RUN"

    /// An entry of their environment, `NAME=value`; children inherit it.
    let entry: String
    /// A folder of the run: its real path, without a trailing slash.
    ///
    /// Some servers, nginx among them, overwrite their environment with their title; they are
    /// recognised by the run's files that they hold open, such as their output log. A program whose
    /// environment is intact and lacks the mark is not the run's, whatever files it has open.
    let folder: String?
}

enum RunProcesses {
    /// Seconds that a process outside the group may take to exit once its worker has ended.
    private static let graceSeconds = 1.0
    /// Seconds that a killed process may take to disappear: freeing much memory takes time.
    private static let deathSeconds = 10.0

    static func lingering(_ mark: RunMark, besides groups: Set<Int32>) -> [ProcessFacts] {
        let began = ContinuousClock.now
        while true {
            let found = living(mark).filter { !groups.contains($0.group) }
            if !mayStillExit(found, after: (ContinuousClock.now - began).seconds) { return found }
            Pause.seconds(0.001)
        }
    }

    /// Whether to wait longer for processes to exit by themselves: one that is exiting writes
    /// nothing any more, but on a busy machine it takes seconds to disappear.
    static func mayStillExit(_ found: [ProcessFacts], after seconds: Double) -> Bool {
        if found.isEmpty { return false }
        return seconds <= (found.allSatisfy(\.isDying) ? deathSeconds : graceSeconds)
    }

    /// Waits until a finished launch has no process left, and kills and returns those that survive,
    /// but not members of killed groups, which are about to be gone.
    static func clear(_ mark: RunMark, groups: Set<Int32>, wasKilled: Bool) -> [ProcessFacts] {
        let began = ContinuousClock.now
        while true {
            let found = living(mark)
            guard !found.isEmpty else { return [] }
            let outsiders = found.filter { !groups.contains($0.group) && !$0.isDying }
            let elapsed = (ContinuousClock.now - began).seconds
            if !outsiders.isEmpty, wasKilled || elapsed > graceSeconds {
                // Once they are dead, their command lines are gone.
                let seen = outsiders.map(\.withCommand)
                return seen + killAll(mark)
            }
            if elapsed > deathSeconds { return found }
            Pause.seconds(0.001)
        }
    }

    /// Kills all processes until none is left; returns those that cannot be killed now.
    @discardableResult
    static func killAll(_ mark: RunMark, isCertain: Bool = false) -> [ProcessFacts] {
        let began = ContinuousClock.now
        while true {
            let found = living(mark, isCertain: isCertain)
            // A process that hangs in the kernel cannot die now, so the wait is limited.
            if found.isEmpty || (ContinuousClock.now - began).seconds > deathSeconds {
                return found
            }
            for process in found { process.kill() }
            Pause.seconds(0.002)
        }
    }

    /// Kills every process of a run, until two looks in a row find none: a worker that was being
    /// launched when the rig died shows its environment only once it runs its program.
    static func killEveryone(_ mark: RunMark) {
        var quietLooks = 0
        // Looks are counted, not seconds, as the machine may have been stopped meanwhile.
        for _ in 0..<500 where quietLooks < 2 {
            let found = living(mark)
            for process in found { process.kill() }
            quietLooks = found.isEmpty ? quietLooks + 1 : 0
            Pause.seconds(0.02)
        }
    }

    /// The living processes of a run; `isCertain` leaves out those that may be of another launch.
    static func living(_ mark: RunMark, isCertain: Bool = false) -> [ProcessFacts] {
        let entry = Array(mark.entry.utf8)
        let marked: [ProcessFacts] = all.compactMap { process, environment in
            guard belongs(process, environment: environment, to: mark, entry: entry),
                let facts = ProcessFacts(of: process), !facts.hasEnded
            else { return nil }
            return facts
        }
        let orphans = Orphans.living(mark, isCertain: isCertain)
        return marked + orphans.filter { orphan in !marked.contains { $0.id == orphan.id } }
    }

    /// All processes except this one whose environment is readable, with that environment.
    static var all: [(process: pid_t, environment: [UInt8])] {
        ProcessFacts.all.compactMap { process in
            guard process != getpid(),
                let environment = ProcessFacts.read("/proc/\(process)/environ")
            else { return nil }
            return (process, environment)
        }
    }

    private static func belongs(
        _ process: pid_t, environment: [UInt8], to mark: RunMark, entry: [UInt8]
    ) -> Bool {
        // A kernel thread has no environment, and no files.
        guard !environment.isEmpty else { return false }
        let (isMarked, isWhole) = look(for: entry, in: environment)
        guard !isMarked, !isWhole, let folder = mark.folder else { return isMarked }
        return holdsFile(process, below: folder)
    }

    /// Whether an entry is in an environment, and whether any entry there looks like `NAME=value`;
    /// fast, because it runs for every process of the machine.
    private static func look(
        for entry: [UInt8], in environment: [UInt8]
    ) -> (isMarked: Bool, isWhole: Bool) {
        environment.withUnsafeBytes { text in
            var isWhole = false
            var start = 0
            while start < text.count, let here = text.baseAddress?.advanced(by: start) {
                let rest = text.count - start
                let length = memchr(here, 0, rest).map { here.distance(to: $0) } ?? rest
                if length == entry.count, memcmp(here, entry, length) == 0 { return (true, true) }
                isWhole = isWhole || isEntry(UnsafeRawBufferPointer(start: here, count: length))
                start += length + 1
            }
            return (false, isWhole)
        }
    }

    private static func isEntry(_ text: UnsafeRawBufferPointer) -> Bool {
        let name = text.prefix { $0 != UInt8(ascii: "=") }
        return !name.isEmpty && name.count < text.count
            && name.allSatisfy {
                $0 == UInt8(ascii: "_") || (0x30...0x39).contains($0)
                    || (0x41...0x5A).contains($0 & 0xDF)
            }
    }

    private static func holdsFile(_ process: pid_t, below folder: String) -> Bool {
        let handles = "/proc/\(process)/fd"
        return handles.names.contains {
            "\(handles)/\($0)".linkTarget?.hasPrefix("\(folder)/") ?? false
        }
    }
}

package enum AbandonedWorkers {
    package static let ownerVariable = "RIG_OWNER"

    /// The variable's value for this rig's workers; nil where `/proc` does not identify it.
    package static var owner: String? { ProcessIdentity.own?.text }

    /// Seconds to wait for the guardian of a rig that was just killed to do its own cleanup.
    private static let graceSeconds = 0.5

    /// Kills the abandoned workers; returns one line for each dead rig whose workers were killed.
    package static func end() -> [String] {
        let began = ContinuousClock.now
        var found = ofDeadRigs
        while !found.isEmpty, (ContinuousClock.now - began).seconds < graceSeconds {
            Pause.seconds(0.01)
            found = ofDeadRigs
        }
        for worker in found { worker.process.kill() }
        return Dictionary(grouping: found, by: \.rig).sorted { $0.key < $1.key }.map {
            let names = $0.value.map { "\($0.process.name) (process \($0.process.id))" }
            return "ended what a rig (process \($0.key)) that is dead had left: "
                + names.joined(separator: ", ")
        }
    }

    private static var ofDeadRigs: [(rig: Int32, process: ProcessFacts)] {
        RunProcesses.all.compactMap { process, environment in
            let prefix = Array("\(ownerVariable)=".utf8)
            guard
                let entry = environment.split(separator: 0).first(where: {
                    $0.starts(with: prefix)
                }),
                let rig = ProcessIdentity(
                    String(decoding: entry.dropFirst(prefix.count), as: UTF8.self)),
                rig.isDead, let facts = ProcessFacts(of: process), !facts.hasEnded
            else { return nil }
            return (rig.process, facts)
        }
    }
}
