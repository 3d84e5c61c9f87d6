internal import Foundation
internal import LoopbackHTTP

/// Why the proxy cannot listen; each text says what is wrong and what to do.
public enum ProxyError: Error, Hashable {
    /// Another program listens on the port.
    case portTaken(UInt16)
    /// The system requires privileges to listen on the port.
    case portForbidden(UInt16)
    /// Any other failure to listen.
    case cannotListen(port: UInt16, reason: String)
    /// The proxy is already listening.
    case alreadyStarted(port: UInt16)
}

extension ProxyError: CustomStringConvertible {
    /// What is wrong, and what to do.
    public var description: String {
        switch self {
        case .portTaken(let port):
            "port \(port) is taken by another program; end that, or choose another --port"
        case .portForbidden(let port):
            "port \(port) may not be used; choose a --port from 1024 on, or 0 for a free one"
        case .cannotListen(let port, let reason):
            "cannot listen on 127.0.0.1:\(port): \(reason); "
                + (reason.hasPrefix("Too many open files")
                    ? "allow more of them (ulimit -n)" : "choose another --port")
        case .alreadyStarted(let port): "the proxy listens already, on port \(port); stop it first"
        }
    }
}

extension ProxyError {
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
