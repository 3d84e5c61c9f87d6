#if os(Linux)
    internal import Glibc
    internal import RigModel
    internal import Synchronization
    internal import SystemPackage

    /// Makes the kernel's out-of-memory killer end a worker, at a chosen moment.
    ///
    /// A group is made that may use no memory. At the moment the worker is moved into it, and with
    /// it a shell that asks for some, lest the worker happen to need none: the kernel kills the
    /// larger of the two, at once. What the worker used before is counted elsewhere, so that there
    /// is nothing to be reclaimed first, which would take as long as its unwritten pages do.
    struct MemoryShortage: Sendable {
        private let group: MemoryGroup
        private let hog: MemoryHog
        private let worker: LivingWorker

        /// Puts up everything but the shortage; nil where that is not possible.
        ///
        /// ``MemoryGroups/check()`` has said before the run that it is.
        init?(for worker: LivingWorker) {
            guard let controller = MemoryController.own,
                let group = try? MemoryGroup(in: controller)
            else { return nil }
            guard let hog = try? MemoryHog(environment: worker.environment) else {
                group.remove()
                return nil
            }
            self.group = group
            self.hog = hog
            self.worker = worker
        }

        /// Goes through all of it but the shortage itself.
        ///
        /// - Throws: ``RigError`` with exit code 77 when something of it is not allowed.
        static func rehearse() throws(RigError) {
            guard let controller = MemoryController.own else {
                throw MemoryGroups.refusal("there is no memory controller for this process")
            }
            let group = try MemoryGroup(in: controller)
            defer { group.remove() }
            let hog = try MemoryHog(environment: [:])
            defer { hog.end() }
            guard group.add(hog.processID) else {
                throw MemoryGroups.refusal("a process cannot be moved into a group")
            }
        }

        /// Starts the shortage.
        ///
        /// Moving a process takes the kernel some 20 ms, in which a worker would get on and may even
        /// end. It is stopped at its moment first: a stopped process dies of want of memory, too.
        func begin() {
            worker.send(SIGSTOP)
            Self.expose(worker.processID)
            guard group.add(worker.processID), group.add(hog.processID) else {
                worker.send(SIGCONT)
                return
            }
            hog.begin()
        }

        /// Ends the shortage; to be called when the worker is dead.
        ///
        /// - Returns: true when the kernel killed the worker for want of memory: it counts whom it
        ///   kills in the group, and the shell is the only other one there.
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

        /// Makes the kernel prefer a process when it looks for one to kill.
        private static func expose(_ process: pid_t) {
            let file = open("/proc/\(process)/oom_score_adj", O_WRONLY | O_CLOEXEC)
            guard file >= 0 else { return }
            _ = write(file, "1000", 4)
            close(file)
        }

        /// Removes the group.
        func remove() {
            hog.end()
            group.remove()
        }
    }

    /// A process that asks for memory without end, and is small until then.
    final class MemoryHog: Sendable {
        /// Its id; it is not reaped before it has been told to end.
        let processID: pid_t
        private let orders: FileDescriptor
        private let launch: OwnChildren.Launch
        private let isLiving = Mutex(true)

        /// Doubles a string as long as there is memory, once it is told to.
        private static let script =
            "read order || exit 0; text=0123456789abcdef; while :; do text=$text$text; done"

        /// Starts the process, which then waits.
        ///
        /// - Parameter environment: variables by which the guardian knows it.
        /// - Throws: ``RigError`` with exit code 77 when it cannot be started.
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

        /// Tells it to begin.
        func begin() {
            _ = try? orders.writeAll("\n".utf8)
        }

        /// True once something else has ended it, or is about to.
        var isDying: Bool {
            ProcessState(of: processID)?.isDying(of: SIGKILL) ?? true
        }

        /// Ends it, once.
        func end() {
            let wasLiving = isLiving.withLock { living in
                defer { living = false }
                return living
            }
            guard wasLiving else { return }
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
#endif
