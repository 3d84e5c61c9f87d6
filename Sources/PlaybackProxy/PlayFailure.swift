internal import VideoCache

extension Refusal {
    /// The answer to a player where a video cannot be brought and no byte was sent yet (C9).
    ///
    /// 504 when the origin took too long, 502 when it cannot be reached or answers wrongly, 500
    /// when the cache itself fails, 503 when the proxy is about to end.
    init(_ error: any Error) {
        switch error {
        case let refusal as Refusal: self = refusal
        case TransportError.timedOut: self.init(status: 504, reason: "\(error)")
        case TransportError.cancelled:
            self.init(status: 503, reason: "the proxy is about to end; play again when it is back")
        case is TransportError, is DownloadError: self.init(status: 502, reason: "\(error)")
        default: self.init(status: 500, reason: "\(error)")
        }
    }
}
