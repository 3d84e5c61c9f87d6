#if canImport(Darwin)
    internal import Darwin

    extension RunProcess {
        /// Sends signal 9.
        func kill() { Darwin.kill(id, SIGKILL) }
    }

    extension RunProcesses {
        /// Empty: without `/proc` a run's own processes cannot be identified with certainty.
        static func living(_ mark: RunMark) -> [RunProcess] { [] }
    }
#endif
