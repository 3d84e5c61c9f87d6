/// What ends a command: a line or two of what is wrong and what to do, and the exit code.
package struct RigError: Error, Hashable, CustomStringConvertible {
    /// The exit code that goes with it.
    package let status: ExitStatus
    /// What is wrong, and what to do.
    package let message: String
    /// True when a worker has left a process running.
    package let isOfLeftover: Bool

    /// An error for the user.
    package init(_ status: ExitStatus, _ message: String, isOfLeftover: Bool = false) {
        self.status = status
        self.message = message
        self.isOfLeftover = isOfLeftover
    }

    /// The message.
    package var description: String { message }
}
