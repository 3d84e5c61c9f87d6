/// An error that ends a command: a line or two on what is wrong and what to do, and the exit code.
package struct RigError: Error, Hashable, CustomStringConvertible {
    package let status: ExitStatus
    package let message: String
    package let isOfLeftover: Bool

    package init(_ status: ExitStatus, _ message: String, isOfLeftover: Bool = false) {
        (self.status, self.message, self.isOfLeftover) = (status, message, isOfLeftover)
    }

    package var description: String { message }

    package static func require(
        _ holds: Bool, _ status: ExitStatus, _ message: @autoclosure () -> String
    ) throws(RigError) {
        guard holds else { throw RigError(status, message()) }
    }

    /// Throws an error with exit code 64 where something does not hold.
    package static func require(
        _ holds: Bool, _ message: @autoclosure () -> String
    ) throws(RigError) {
        guard holds else { throw RigError(.usage, message()) }
    }

    package static func usage(_ message: String) -> RigError { RigError(.usage, message) }
    package static func data(_ message: String) -> RigError { RigError(.data, message) }
    package static func failure(_ message: String) -> RigError { RigError(.failure, message) }
    package static func permission(_ message: String) -> RigError { RigError(.permission, message) }
    package static func unavailable(_ message: String) -> RigError {
        RigError(.unavailable, message)
    }
}
