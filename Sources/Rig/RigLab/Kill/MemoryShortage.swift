internal import Glibc
internal import RigModel
internal import Synchronization
internal import SystemPackage

/// Makes the kernel's out-of-memory killer end a worker, at a chosen moment: it is moved into a
/// control group without memory, with a shell that allocates some, in case the worker needs none,
/// and the kernel kills the larger of the two; its earlier memory stays with its old group, as
/// reclaiming it would take long.
struct MemoryShortage: Sendable {
    private let group: MemoryGroup
    private let hog: MemoryHog

    /// Sets up everything except the shortage; throws exit code 77 where that is not permitted.
    init(environment: [String: String]) throws(RigError) {
        guard let controller = MemoryController.own else {
            throw MemoryGroups.refusal("there is no memory controller for this process")
        }
        group = try MemoryGroup(in: controller)
        do {
            hog = try MemoryHog(environment: environment)
        } catch {
            group.remove()
            throw error
        }
    }

    /// Goes through every step but the shortage itself; throws exit code 77 where not permitted.
    static func rehearse() throws(RigError) {
        let shortage = try MemoryShortage(environment: [:])
        defer { shortage.remove() }
        guard shortage.group.add(shortage.hog.processID) else {
            throw MemoryGroups.refusal("a process cannot be moved into a group")
        }
    }

    /// Starts the shortage; moving a process takes the kernel some 20 ms, so the worker is stopped
    /// first: the out-of-memory killer kills stopped processes, too.
    func begin(for worker: LivingWorker) {
        worker.send(SIGSTOP)
        _ = ProcessFacts.write("1000", to: "/proc/\(worker.processID)/oom_score_adj")
        guard group.add(worker.processID), group.add(hog.processID) else {
            worker.send(SIGCONT)
            return
        }
        hog.begin()
    }

    /// Ends the shortage, once the worker is dead; true when its death was that killer's.
    func end() -> Bool {
        var deaths = 0
        var counted: Int
        repeat {
            counted = group.deaths ?? 0
            deaths = hog.isDying ? counted - 1 : counted
        } while counted != group.deaths ?? 0
        hog.end()
        return deaths > 0
    }

    func remove() {
        hog.end()
        group.remove()
    }
}

/// A process that allocates memory without end once it is told to, and is small until then.
final class MemoryHog: Sendable {
    /// The process id; the process is not reaped before ``end()``.
    let processID: pid_t
    private let orders: FileDescriptor
    private let launch: OwnChildren.Launch
    private let isLiving = Atomic(true)

    /// Once told to, doubles a string as long as there is memory.
    private static let script =
        "read order || exit 0; text=0123456789abcdef; while :; do text=$text$text; done"

    /// Starts the process, which then waits; throws exit code 77 when it cannot be started.
    init(environment: [String: String]) throws(RigError) {
        guard let pipe = try? FileDescriptor.pipe(options: .closeOnExec) else {
            throw MemoryGroups.refusal("there is no pipe to be had")
        }
        defer { try? pipe.readEnd.close() }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, pipe.readEnd.rawValue, STDIN_FILENO)
        let words = Self.list(["/bin/sh", "-c", Self.script])
        let variables = Self.list(environment.map { "\($0)=\($1)" })
        defer { for text in words + variables { free(text) } }
        var child: pid_t = 0
        let launch = OwnChildren.launch()
        guard posix_spawn(&child, "/bin/sh", &actions, nil, words, variables) == 0 else {
            try? pipe.writeEnd.close()
            launch.end()
            throw MemoryGroups.refusal("/bin/sh cannot be started")
        }
        launch.note(child)
        self.launch = launch
        processID = child
        orders = pipe.writeEnd
    }

    func begin() { _ = try? orders.writeAll("\n".utf8) }
    var isDying: Bool { ProcessState(of: processID)?.isDying(of: SIGKILL) ?? true }

    /// Kills and reaps it; a second call does nothing.
    func end() {
        guard isLiving.exchange(false, ordering: .acquiringAndReleasing) else { return }
        kill(processID, SIGKILL)
        while waitpid(processID, nil, 0) < 0, errno == EINTR {}
        launch.end()
        try? orders.close()
    }

    deinit { end() }

    private static func list(_ texts: [String]) -> [UnsafeMutablePointer<CChar>?] {
        texts.map { strdup($0) } + [nil]
    }
}
