/// An error that ends a command: a line or two on what is wrong and what to do, and the exit code.
package struct RigError: Error, Hashable, CustomStringConvertible {
    /// The command's exit code.
    package let status: ExitStatus
    /// What is wrong, and what to do.
    package let message: String
    /// True when a worker left a process running.
    package let isOfLeftover: Bool

    /// Creates an error for the user.
    package init(_ status: ExitStatus, _ message: String, isOfLeftover: Bool = false) {
        self.status = status
        self.message = message
        self.isOfLeftover = isOfLeftover
    }

    /// The message.
    package var description: String { message }
}
