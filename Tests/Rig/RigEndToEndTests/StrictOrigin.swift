import Foundation
import TestSupport

/// An origin that refuses each request without a certain header (403).
final class StrictOrigin: Sendable {
    static let body = Data((0..<300_000).map { UInt8(truncatingIfNeeded: $0 * 7 / 3) })
    private let socket: ListeningSocket

    /// Listens; `wanted` is a line of the head, with its name in lower case.
    init(wants wanted: String) throws {
        socket = try ListeningSocket { client in
            Self.answer(client, wanted)
            close(client)
        }
    }

    var url: String { "http://127.0.0.1:\(socket.port)/v.mp4" }

    /// Stops accepting connections.
    func stop() { socket.stop() }

    /// Answers one request with the whole or the status 403, and ends the connection.
    private static func answer(_ client: Int32, _ wanted: String) {
        guard let head = ListeningSocket.readHead(client) else { return }
        let lines = head.components(separatedBy: "\r\n").map { line in
            let parts = line.split(separator: ":", maxSplits: 1)
            return parts.count == 2 ? "\(parts[0].lowercased()):\(parts[1])" : line
        }
        let isRight = lines.contains(wanted)
        let text =
            "HTTP/1.1 \(isRight ? "200 OK" : "403 Forbidden")\r\nETag: \"1\"\r\n"
            + "Content-Length: \(isRight ? body.count : 0)\r\nConnection: close\r\n\r\n"
        ListeningSocket.send([UInt8](text.utf8) + (isRight ? body : Data()), to: client)
    }
}
