internal import Foundation
internal import LoopbackHTTP
internal import VideoCache

/// Why the proxy cannot listen; each text says what is wrong and what to do.
public enum ProxyError: Error, Hashable {
    /// Another program listens on the port.
    case portTaken(UInt16)
    /// The system requires privileges to listen on the port.
    case portForbidden(UInt16)
    /// Any other failure to listen; `code` is the system's number of the error, 0 if there is none.
    case cannotListen(port: UInt16, reason: String, code: Int32 = 0)
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
        case .cannotListen(let port, let reason, let code):
            "cannot listen on 127.0.0.1:\(port): \(reason); "
                + CacheError.remedy(for: code, or: "choose another --port")
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
            case .refused(let code, let reason):
                .cannotListen(port: port, reason: reason, code: code)
            }
    }
}
