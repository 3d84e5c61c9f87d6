#if canImport(Darwin)
    internal import Darwin

    /// The end of a child that has not been reaped yet: nothing wakes whoever waits for it.
    struct ProcessEnding: ~Copyable {
        /// Waits for the end of a child.
        init(of process: pid_t) {}

        /// Sleeps for so long.
        func wait(atMost seconds: Double) { Pause.seconds(seconds) }
    }
#endif
