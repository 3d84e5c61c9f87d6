/// A server that is killed with what it started, while a client asks it for the video.
package struct WorkerServer: Sendable, Hashable, Codable {
    /// How the rig detects that the server answers.
    package enum Readiness: Sendable, Hashable, Codable {
        /// It accepts connections on `{port}`.
        case port
        /// It answers a request for this address, which may have placeholders, with any status.
        case url(String)
    }

    /// Program and arguments that run it in the foreground; `{port}` is a free port for it.
    package let command: [String]
    package let ready: Readiness

    package init(command: [String], ready: Readiness = .port) {
        (self.command, self.ready) = (command, ready)
    }
}
