internal import VideoCache

/// Why a player's request is answered with an error, as plain text that ends in what to do.
struct Refusal: Error, Hashable {
    let status: Int
    let reason: String
    let headers: [String: String]

    init(_ status: Int, _ reason: String, headers: [String: String] = [:]) {
        (self.status, self.reason, self.headers) = (status, reason, headers)
    }
}

extension Refusal {
    /// The response if a video is unavailable and no byte was sent yet (C9): 504 if the origin took
    /// too long, or had to be asked and could not be, 502 if it answers wrongly, 500 if the cache
    /// fails, 503 at the proxy's end or without a thread.
    init(_ error: any Error) {
        switch error {
        case let refusal as Refusal: self = refusal
        case TransportError.timedOut, DownloadError.unconfirmed: self.init(504, "\(error)")
        case TransportError.cancelled:
            self.init(503, "the proxy is about to end; play again when it is back")
        case is ThreadError: self.init(503, "\(error)")
        case is TransportError, is DownloadError: self.init(502, "\(error)")
        default: self.init(500, "\(error)")
        }
    }
}
