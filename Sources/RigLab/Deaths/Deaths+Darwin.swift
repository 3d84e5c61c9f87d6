#if canImport(Darwin)
    internal import RigModel

    extension LivingWorker {
        /// False: without `/proc` a process that has begun to end looks like any other.
        func isDying(of signal: Int32) -> Bool { false }
    }

    extension Fault {
        /// Does nothing: this system writes no images of memory unless it is told to.
        func forbidImages() {}
    }

    /// Control groups are Linux's.
    struct MemoryShortage: Sendable {
        init?(for worker: LivingWorker) { nil }
        func begin() {}
        func end() -> Bool { false }
        func remove() {}
    }

    /// Control groups are Linux's.
    package enum MemoryGroups {
        /// Refuses.
        ///
        /// - Throws: ``RigError`` with exit code 77.
        package static func check() throws {
            throw RigError(
                .permission, "--fault oom needs Linux's control groups; use sigkill, abort or segv")
        }

        /// Does nothing.
        package static func sweep() {}

        static func sweep(ofRig rig: Int32) {}
    }
#endif
