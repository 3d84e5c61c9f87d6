internal import FlyingSocks

/// Why a server cannot listen; its owner says what to do.
package enum ListenError: Error, Hashable {
    case alreadyStarted
    /// The system refuses; `code` is its `errno`, or 0 if there is none.
    case refused(code: Int32, reason: String)

    init(_ error: any Error) {
        guard case .failed(_, let code, let message)? = error as? SocketError else {
            self = .refused(code: 0, reason: "\(error)")
            return
        }
        self = .refused(code: code, reason: message)
    }
}
