#if canImport(Darwin)
    internal import Darwin

    /// The end of a child that has not been reaped yet; here a wait for it is a plain sleep.
    struct ProcessEnding: ~Copyable {
        /// Prepares to wait for the end of a child.
        init(of process: pid_t) {}

        /// Sleeps for that many seconds.
        func wait(atMost seconds: Double) { Pause.seconds(seconds) }
    }
#endif
