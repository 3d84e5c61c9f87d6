internal import Glibc
package import LoopbackHTTP

package enum OriginError: Error, Hashable, CustomStringConvertible {
    case cannotListen(ListenError, port: UInt16)
    /// The system's OpenSSL cannot encrypt connections.
    case tls(String)

    package var description: String {
        switch self {
        case .cannotListen(.refused(EADDRINUSE, _), let port):
            """
            The origin cannot listen on 127.0.0.1:\(port): the port is taken. \
            End the program that has it, or choose another port (0 picks a free one).
            """
        case .cannotListen(.refused(EACCES, _), let port):
            """
            The origin may not listen on 127.0.0.1:\(port). \
            Choose a port from 1024 on (0 picks a free one).
            """
        case .cannotListen(.alreadyStarted, let port):
            "The origin already listens on 127.0.0.1:\(port). Stop it before starting it again."
        case .cannotListen(.refused(EMFILE, let reason), let port):
            "The origin cannot listen on 127.0.0.1:\(port): \(reason). Allow more (ulimit -n)."
        case .cannotListen(.refused(_, let reason), let port):
            """
            The origin cannot listen on 127.0.0.1:\(port): \(reason). \
            Check that the loopback interface is up, and choose port 0 for a free one.
            """
        case .tls(let reason):
            "The origin cannot encrypt: \(reason). Check the system's OpenSSL, or go without --tls."
        }
    }
}
