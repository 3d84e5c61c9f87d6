#if canImport(Darwin)
    extension Guardian {
        /// Does nothing: without `/proc` there is no certain way to know a run's own workers.
        ///
        /// The README states that on macOS a rig killed by SIGKILL may leave a worker behind.
        static func killEveryone(_ mark: RunMark) {}
    }
#endif
