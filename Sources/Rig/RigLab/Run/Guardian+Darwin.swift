#if canImport(Darwin)
    internal import Darwin

    extension Guardian {
        /// Blocks until the rig has ended, or has dismissed this guardian.
        static func waitForEnd(of rig: Int32) -> [RunProcess] {
            var byte: UInt8 = 0
            while read(STDIN_FILENO, &byte, 1) > 0 {}
            return []
        }

        /// Does nothing, like ``killEveryone(_:)``.
        static func killAll(_ seen: [RunProcess]) {}

        /// Does nothing: without `/proc` a run's own workers cannot be identified with certainty.
        ///
        /// `docs/limits.md` states that on macOS a rig killed by SIGKILL may leave a worker behind.
        static func killEveryone(_ mark: RunMark) {}
    }
#endif
