import Synchronization

@testable import VideoCache

/// An origin without a network, which answers each request as a test says.
///
/// It answers on the calling thread. A cancelled request ends before its next read, unless the origin
/// heeds no cancellation: then only its handler can end it.
final class AnsweringTransport: HTTPTransport {
    struct Answer: Sendable {
        var head: HTTPResponseHead?
        var body: [UInt8] = []
        /// How the request ends after that; nil for well.
        var failure: TransportError?

        /// No answer.
        static func failing(_ failure: TransportError) -> Self { Self(failure: failure) }

        static func status(_ status: Int, _ headers: [String: String] = [:]) -> Self {
            Self(head: HTTPResponseHead(status: status, headers: headers))
        }

        /// An answer that heeds no condition; its head has this validator.
        static func heedless(
            _ request: HTTPRequest, _ bytes: [UInt8], _ validator: [String: String]
        ) -> Self {
            var plain = request
            plain.ifRange = nil
            var answer = Self.honest(plain, bytes, etag: nil)
            for (name, value) in validator { answer.head?.headers[name.lowercased()] = value }
            return answer
        }

        /// The honest answer of an origin of one video.
        static func honest(
            _ request: HTTPRequest, _ bytes: [UInt8], etag: String? = "\"v1\""
        ) -> Self {
            var headers = ["Content-Type": "video/mp4", "Accept-Ranges": "bytes"]
            headers["ETag"] = etag
            let asked =
                switch request.target {
                case .whole: 0..<bytes.count
                case .from(let start): Int(start)..<bytes.count
                case .range(let range): Int(range.offset)..<min(Int(range.end), bytes.count)
                }
            let isWhole =
                request.target == .whole || request.ifRange != nil && request.ifRange != etag
            if isWhole {
                headers["Content-Length"] = "\(bytes.count)"
                return Self(head: HTTPResponseHead(status: 200, headers: headers), body: bytes)
            }
            guard !asked.isEmpty else {
                return .status(416, ["Content-Range": "bytes */\(bytes.count)"])
            }
            headers["Content-Length"] = "\(asked.count)"
            headers["Content-Range"] =
                "bytes \(asked.lowerBound)-\(asked.upperBound - 1)/\(bytes.count)"
            return Self(
                head: HTTPResponseHead(status: 206, headers: headers), body: Array(bytes[asked]))
        }

        /// The same answer, broken off after so many bytes of its body.
        func cut(after count: Int, by failure: TransportError) -> Self {
            Self(head: head, body: Array(body.prefix(count)), failure: failure)
        }
    }

    private let heedsCancellation: Bool
    private let answer: @Sendable (HTTPRequest, Int) -> Answer
    private let seen = Mutex<[HTTPRequest]>([])

    /// Creates an origin; the closure gets each request, and how many came before.
    init(
        heedsCancellation: Bool = true, _ answer: @escaping @Sendable (HTTPRequest, Int) -> Answer
    ) { (self.heedsCancellation, self.answer) = (heedsCancellation, answer) }

    var requests: [HTTPRequest] { seen.withLock(\.self) }

    /// Their `Range` headers; `whole` for a request without one.
    var ranges: [String] { requests.map { $0.rangeHeader ?? "whole" } }

    func perform(
        _ request: HTTPRequest, handler: any HTTPResponseHandler, cancellation: Cancellation
    ) throws {
        let number = seen.withLock { seen in
            seen.append(request)
            return seen.count - 1
        }
        let answer = answer(request, number)
        if let head = answer.head { try handler.head(head) }
        var position = 0
        while position < answer.body.count {
            if heedsCancellation, cancellation.isCancelled { throw TransportError.cancelled }
            let next = min(position + request.readSize, answer.body.count)
            try answer.body[position..<next].withUnsafeBytes { try handler.body($0) }
            position = next
        }
        if let failure = answer.failure { throw failure }
    }
}

extension VideoLoader {
    /// What a player of the whole gets from an origin, without retries, and why not more.
    static func played(
        _ url: String, of cache: VideoCache, by origin: AnsweringTransport
    ) -> (bytes: [UInt8], failure: (any Error)?) {
        let loader = VideoLoader(cache: cache, transport: origin, options: .init(retry: .none))
        defer { loader.close() }
        return loader.reader(of: url, range: nil).played()
    }
}

extension VideoReader {
    /// What a player gets, and why not more.
    func played() -> (bytes: [UInt8], failure: (any Error)?) {
        var bytes: [UInt8] = []
        do {
            while let more = try next() { bytes += more }
            return (bytes, nil)
        } catch {
            return (bytes, error)
        }
    }
}
