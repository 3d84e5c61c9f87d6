/// Reads a connection's requests; what has arrived beyond one is kept for the next.
struct RequestReader {
    /// The most bytes of a head: a client that sends more would fill the memory.
    static let mostHeadBytes = 64 << 10

    private let connection: ClientConnection
    private var received: [UInt8] = []

    init(_ connection: ClientConnection) {
        self.connection = connection
    }

    /// Waits for the next head.
    ///
    /// - Throws: ``NoRequest``, or an error of the socket, also at the connection's end.
    mutating func head() async throws -> RequestHead {
        var lines: [String] = []
        var left = Self.mostHeadBytes
        while true {
            let bytes = try await line(atMost: left)
            left -= bytes.count
            guard let text = String(validating: bytes.dropLast(), as: UTF8.self) else {
                throw NoRequest()
            }
            if text.isEmpty || text == "\r" { return try RequestHead(lines: lines) }
            lines.append(text)
        }
    }

    /// Drops bytes of a request's body.
    mutating func skip(_ count: Int) async throws {
        while received.count < count {
            received += try await connection.read(atMost: count - received.count)
        }
        received.removeFirst(count)
    }

    /// The bytes up to the next line feed, which is the last of them.
    private mutating func line(atMost most: Int) async throws -> [UInt8] {
        var searched = 0
        while true {
            if let end = received[searched...].firstIndex(of: UInt8(ascii: "\n")) {
                guard end < most else { throw NoRequest() }
                defer { received.removeFirst(end + 1) }
                return Array(received[...end])
            }
            searched = received.count
            guard searched < most else { throw NoRequest() }
            received += try await connection.read(atMost: 4096)
        }
    }
}
