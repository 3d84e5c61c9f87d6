import Dispatch
import Foundation
import Synchronization
import TestSupport

struct SeenRequest: Sendable, Hashable {
    var path: String
    var headers: [String: String]
    /// How many requests came before it.
    var number = 0

    /// First and last position of a `Range` header; the last is nil if the range is open.
    var range: (first: Int, last: Int?)? {
        guard let text = headers["range"], text.hasPrefix("bytes=") else { return nil }
        let bounds = text.dropFirst(6).split(separator: "-", omittingEmptySubsequences: false)
        guard bounds.count == 2, let first = Int(bounds[0]) else { return nil }
        return (first, Int(bounds[1]))
    }
}

struct Reply: Sendable {
    var status = 200
    var headers: [String: String] = [:]
    var body: [UInt8] = []
    /// Sends only this many bytes of the body.
    var sendsOnly: Int?
    var fallsSilent = false
    var isChunked = false
    /// Sends no length: the body ends with the connection.
    var endsWithConnection = false
    var resets = false
    /// Sends this many bytes, then waits for the gate to open.
    var pausesAfter: Int?
    var gate: DispatchSemaphore?
    /// Sends this in the place of a head, and closes the connection.
    var greeting: String?
}

final class TestOrigin: Sendable {
    typealias Handler = @Sendable (SeenRequest) -> Reply

    private let socket: ListeningSocket
    private let seen = Seen()

    private final class Seen: Sendable {
        let requests = Mutex<[SeenRequest]>([])
    }

    init(_ handler: @escaping Handler) throws {
        socket = try ListeningSocket { [seen] client in
            while let head = ListeningSocket.readHead(client) {
                let request = seen.requests.withLock { requests in
                    var request = Self.parse(head)
                    request.number = requests.count
                    requests.append(request)
                    return request
                }
                guard Self.send(handler(request), to: client) else { break }
            }
            close(client)
        }
    }

    var port: UInt16 { socket.port }
    func stop() { socket.stop() }
    var url: String { "http://127.0.0.1:\(port)/v.mp4" }
    var requests: [SeenRequest] { seen.requests.withLock { $0 } }

    /// The requested `Range` headers, in order; `none` for a request without one.
    var ranges: [String] { requests.map { $0.headers["range"] ?? "none" } }

    private static func parse(_ text: String) -> SeenRequest {
        let lines = text.components(separatedBy: "\r\n")
        var headers: [String: String] = [:]
        for line in lines.dropFirst() {
            guard let colon = line.firstIndex(of: ":") else { continue }
            headers[line[..<colon].lowercased()] =
                line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces)
        }
        let path = lines[0].split(separator: " ").dropFirst().first ?? ""
        return SeenRequest(path: String(path), headers: headers)
    }

    /// Sends a reply; returns false if the connection cannot be used any more.
    private static func send(_ reply: Reply, to connection: Int32) -> Bool {
        if let greeting = reply.greeting {
            ListeningSocket.send(Array(greeting.utf8), to: connection)
            return false
        }
        var head = "HTTP/1.1 \(reply.status) Status\r\n"
        for (name, value) in reply.headers { head += "\(name): \(value)\r\n" }
        if reply.isChunked {
            head += "Transfer-Encoding: chunked\r\n"
        } else {
            head +=
                reply.endsWithConnection
                ? "Connection: close\r\n" : "Content-Length: \(reply.body.count)\r\n"
        }
        let bytes = (head + "\r\n").unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) }
        guard ListeningSocket.send(bytes, to: connection) else { return false }
        var body = Array(reply.body[..<min(reply.sendsOnly ?? .max, reply.body.count)])
        if let count = reply.pausesAfter, count < body.count {
            guard ListeningSocket.send(Array(body[..<count]), to: connection) else { return false }
            body.removeFirst(count)
            _ = reply.gate?.wait(timeout: .now() + 120)
            reply.gate?.signal()
        }
        guard ListeningSocket.send(reply.isChunked ? chunked(body) : body, to: connection) else {
            return false
        }
        if reply.resets {
            var option = linger(l_onoff: 1, l_linger: 0)
            // Reset only once the client has received everything.
            var unsent: Int32 = 1
            try? blockUntil("all is taken") {
                ioctl(connection, UInt(TIOCOUTQ), &unsent) != 0 || unsent == 0
            }
            setsockopt(
                connection, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
            return false
        }
        if reply.fallsSilent {
            var byte: UInt8 = 0
            _ = recv(connection, &byte, 1, 0)
            return false
        }
        return reply.sendsOnly == nil && !reply.endsWithConnection
    }

    private static func chunked(_ body: [UInt8]) -> [UInt8] {
        var bytes: [UInt8] = []
        for start in stride(from: 0, to: body.count, by: 10_000) {
            let part = body[start..<min(start + 10_000, body.count)]
            bytes += Array("\(String(part.count, radix: 16))\r\n".utf8) + part + [13, 10]
        }
        return bytes + Array("0\r\nX-Trailer: 1\r\n\r\n".utf8)
    }
}

extension TestOrigin {
    static func video(_ bytes: [UInt8], etag: String? = "\"v1\"") throws -> TestOrigin {
        try TestOrigin { honest($0, bytes, etag: etag) }
    }

    static func video(
        _ bytes: [UInt8], etag: String? = "\"v1\"",
        _ change: @escaping @Sendable (SeenRequest, inout Reply) -> Void
    ) throws -> TestOrigin {
        try TestOrigin { request in
            var reply = honest(request, bytes, etag: etag)
            change(request, &reply)
            return reply
        }
    }

    static func honest(
        _ request: SeenRequest, _ bytes: [UInt8], etag: String? = "\"v1\""
    ) -> Reply {
        var headers = ["Content-Type": "video/mp4", "Accept-Ranges": "bytes"]
        headers["ETag"] = etag
        let condition = request.headers["if-range"]
        guard let range = request.range, condition == nil || condition == etag else {
            return Reply(headers: headers, body: bytes)
        }
        guard range.first < bytes.count else {
            return Reply(status: 416, headers: ["Content-Range": "bytes */\(bytes.count)"])
        }
        let last = min(range.last ?? .max, bytes.count - 1)
        headers["Content-Range"] = "bytes \(range.first)-\(last)/\(bytes.count)"
        return Reply(status: 206, headers: headers, body: Array(bytes[range.first...last]))
    }
}
