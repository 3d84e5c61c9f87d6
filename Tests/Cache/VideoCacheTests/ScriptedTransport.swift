import Synchronization

@testable import VideoCache

/// An origin without a network: answers on the calling thread, read after read.
///
/// It ignores cancellations: a request ends only when its handler throws.
final class ScriptedTransport: HTTPTransport {
    /// Thrown instead of a real transport's error for a truncated body.
    struct Cut: Error {}

    private let bytes: [UInt8]
    private let state: Mutex<(etag: String, cutAt: Int?, requests: [HTTPRequest], reads: Int)>

    /// An origin of one video.
    init(_ bytes: [UInt8], etag: String = "\"v1\"") {
        self.bytes = bytes
        state = Mutex((etag, nil, [], 0))
    }

    /// The requests so far, in order.
    var requests: [HTTPRequest] { state.withLock { $0.requests } }

    /// How many times bytes were handed over.
    var reads: Int { state.withLock { $0.reads } }

    /// Ends each body before this position, as a lost connection does; nil removes the limit.
    func cut(at position: Int?) { state.withLock { $0.cutAt = position } }

    func perform(
        _ request: HTTPRequest, handler: any HTTPResponseHandler, cancellation: Cancellation
    ) throws {
        let (etag, cutAt) = state.withLock {
            $0.requests.append(request)
            return ($0.etag, $0.cutAt)
        }
        let asked =
            switch request.target {
            case .whole: 0..<bytes.count
            case .from(let start): Int(start)..<bytes.count
            case .range(let range): Int(range.offset)..<min(Int(range.end), bytes.count)
            }
        var headers = [
            "ETag": etag, "Accept-Ranges": "bytes", "Content-Length": "\(asked.count)",
            "Content-Type": "video/mp4",
        ]
        if request.target != .whole {
            headers["Content-Range"] =
                "bytes \(asked.lowerBound)-\(asked.upperBound - 1)/\(bytes.count)"
        }
        try handler.head(
            HTTPResponseHead(status: request.target == .whole ? 200 : 206, headers: headers))
        let end = min(asked.upperBound, cutAt ?? .max)
        var position = asked.lowerBound
        while position < end {
            let next = min(position + request.readSize, end)
            state.withLock { $0.reads += 1 }
            try bytes[position..<next].withUnsafeBytes { try handler.body($0) }
            position = next
        }
        if end < asked.upperBound { throw Cut() }
    }
}
