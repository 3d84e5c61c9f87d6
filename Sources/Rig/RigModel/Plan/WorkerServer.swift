/// A server that is killed, with the processes it started, while a client requests the video from
/// it.
package struct WorkerServer: Sendable, Hashable, Codable {
    /// How the rig detects that the server answers.
    package enum Readiness: Sendable, Hashable, Codable {
        /// It accepts connections on `{port}`.
        case port
        /// It answers a request for this address with any status; the address may have
        /// placeholders.
        case url(String)
    }

    /// Program and arguments that run it in the foreground; `{port}` is a free port for it.
    package let command: [String]
    package let ready: Readiness

    package init(command: [String], ready: Readiness = .port) {
        (self.command, self.ready) = (command, ready)
    }
}
