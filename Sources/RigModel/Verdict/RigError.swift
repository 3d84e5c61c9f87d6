/// What ends a command: a line or two of what is wrong and what to do, and the exit code.
package struct RigError: Error, Hashable, CustomStringConvertible {
    /// The exit code that goes with it.
    package let status: ExitStatus
    /// What is wrong, and what to do.
    package let message: String

    /// An error for the user.
    package init(_ status: ExitStatus, _ message: String) {
        self.status = status
        self.message = message
    }

    /// The message.
    package var description: String { message }
}
