internal import Glibc
internal import LoopbackHTTP

package enum OriginError: Error, Hashable, CustomStringConvertible {
    case portTaken(UInt16)
    case portForbidden(UInt16)
    case alreadyStarted(port: UInt16)
    case cannotListen(port: UInt16, reason: String)
    /// The system's OpenSSL cannot encrypt connections.
    case tls(String)

    package var description: String {
        switch self {
        case .portTaken(let port):
            """
            The origin cannot listen on 127.0.0.1:\(port): the port is taken. \
            End the program that has it, or choose another port (0 picks a free one).
            """
        case .portForbidden(let port):
            """
            The origin may not listen on 127.0.0.1:\(port). \
            Choose a port from 1024 on (0 picks a free one).
            """
        case .alreadyStarted(let port):
            "The origin already listens on 127.0.0.1:\(port). Stop it before starting it again."
        case .cannotListen(let port, let reason):
            """
            The origin cannot listen on 127.0.0.1:\(port): \(reason). \
            Check that the loopback interface is up, and choose port 0 for a free one.
            """
        case .tls(let reason):
            "The origin cannot encrypt: \(reason). Check the system's OpenSSL, or go without --tls."
        }
    }
}

extension OriginError {
    init(_ error: ListenError, port: UInt16) {
        self =
            switch error {
            case .alreadyStarted: .alreadyStarted(port: port)
            case .refused(EADDRINUSE, _): .portTaken(port)
            case .refused(EACCES, _): .portForbidden(port)
            case .refused(_, let reason): .cannotListen(port: port, reason: reason)
            }
    }
}
