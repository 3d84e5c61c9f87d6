#if canImport(Darwin)
    internal import RigModel

    extension LivingWorker {
        /// False: without `/proc` an exiting process looks like any other.
        func isDying(of signal: Int32) -> Bool { false }
    }

    extension Fault {
        /// Does nothing: this system writes no core dumps unless it is told to.
        func forbidImages() {}
    }

    /// Unavailable: control groups exist only on Linux.
    struct MemoryShortage: Sendable {
        init?(for worker: LivingWorker) { nil }
        func begin() {}
        func end() -> Bool { false }
        func remove() {}
    }

    /// Unavailable: control groups exist only on Linux.
    package enum MemoryGroups {
        /// Refuses the run.
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
