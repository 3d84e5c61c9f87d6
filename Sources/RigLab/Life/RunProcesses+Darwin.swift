#if canImport(Darwin)
    internal import Darwin

    extension RunProcess {
        /// Sends signal 9.
        func kill() { Darwin.kill(id, SIGKILL) }
    }

    extension RunProcesses {
        /// None: without `/proc` there is no certain way to know a run's own processes.
        static func living(_ mark: RunMark) -> [RunProcess] { [] }
    }
#endif
