#if canImport(Darwin)
    internal import Darwin

    /// The processes of a worker; without `/proc` it is not known who they are.
    struct ProcessGroup: Sendable {
        /// The group's id.
        let id: pid_t

        /// Sends a signal to every process of the group.
        func send(_ signal: Int32) {
            Darwin.kill(-id, signal)
        }

        /// None that are known.
        var members: [pid_t] { [] }

        /// False: that is not known.
        static func areStopped(_ members: [pid_t]) -> Bool { false }
    }
#endif
