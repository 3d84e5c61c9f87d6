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
        // Where the next line begins.
        var start = 0
        while true {
            while let end = received[start...].firstIndex(of: UInt8(ascii: "\n")) {
                guard end < Self.mostHeadBytes,
                    let line = String(validating: received[start..<end], as: UTF8.self)
                else { throw NoRequest() }
                start = end + 1
                if line.isEmpty || line == "\r" {
                    received.removeFirst(start)
                    return try RequestHead(lines: lines)
                }
                lines.append(line)
            }
            guard received.count < Self.mostHeadBytes else { throw NoRequest() }
            received += try await connection.read(atMost: 4096)
        }
    }

    /// Drops bytes of a request's body.
    mutating func skip(_ count: Int) async throws {
        while received.count < count {
            received += try await connection.read(atMost: count - received.count)
        }
        received.removeFirst(count)
    }
}
