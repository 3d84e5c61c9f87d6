import Foundation

/// An origin that refuses each request without a certain header (403).
final class StrictOrigin: Sendable {
    let body = Data((0..<300_000).map { UInt8(truncatingIfNeeded: $0 * 7 / 3) })
    let port: UInt16
    private let listener: Int32
    private let wanted: String

    /// Listens; `wanted` is a line of the head, with its name in lower case.
    init(wants wanted: String) throws {
        self.wanted = wanted
        listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let (listener, size) = (listener, length)
        let isBound = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener, $0, size) == 0 && listen(listener, 16) == 0
                    && getsockname(listener, $0, &length) == 0
            }
        }
        guard isBound else { throw POSIXError(.EADDRNOTAVAIL) }
        port = UInt16(bigEndian: address.sin_port)
        Thread.detachNewThread { [weak self] in
            while case let client = accept(listener, nil, nil), client >= 0 {
                self?.answer(client)
                close(client)
            }
            close(listener)
        }
    }

    deinit { stop() }

    var url: String { "http://127.0.0.1:\(port)/v.mp4" }

    /// Stops accepting connections.
    func stop() { shutdown(listener, Int32(SHUT_RDWR)) }

    /// Answers one request with the whole or the status 403, and ends the connection.
    private func answer(_ client: Int32) {
        var head = ""
        var byte: UInt8 = 0
        while !head.hasSuffix("\r\n\r\n"), recv(client, &byte, 1, 0) == 1 {
            head.unicodeScalars.append(Unicode.Scalar(byte))
        }
        let lines = head.components(separatedBy: "\r\n").map { line in
            let parts = line.split(separator: ":", maxSplits: 1)
            return parts.count == 2 ? "\(parts[0].lowercased()):\(parts[1])" : line
        }
        let isRight = lines.contains(wanted)
        let body = isRight ? body : Data()
        let text =
            "HTTP/1.1 \(isRight ? "200 OK" : "403 Forbidden")\r\nETag: \"1\"\r\n"
            + "Content-Length: \(body.count)\r\nConnection: close\r\n\r\n"
        var rest = [UInt8](text.utf8) + body
        while !rest.isEmpty, case let count = send(client, rest, rest.count, Int32(MSG_NOSIGNAL)),
            count > 0
        {
            rest.removeFirst(count)
        }
    }
}
