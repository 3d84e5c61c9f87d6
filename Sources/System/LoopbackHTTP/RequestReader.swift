/// Reads a connection's requests; what has arrived beyond one is kept for the next.
struct RequestReader {
    /// The most bytes of a head: a client that sends more would fill the memory.
    static let mostHeadBytes = 64 << 10
    /// The most bytes of a body that are read.
    static let mostBodyBytes = 2 << 20

    private let connection: ClientConnection
    private var received: [UInt8] = []
    /// True if the request that is read asks for a head alone, as far as it can be understood.
    private(set) var isHead = false

    init(_ connection: ClientConnection) { self.connection = connection }

    /// Waits for the next head; throws if it is none, and at the connection's end.
    mutating func head() async throws -> RequestHead {
        // As places: a slice would have all bytes copied whenever more arrive.
        var lines: [Range<Int>] = []
        // Where the next line begins.
        var start = 0
        isHead = false
        while true {
            while let end = received[start...].firstIndex(of: UInt8(ascii: "\n")) {
                guard end < Self.mostHeadBytes else { throw tooLong(lines) }
                let hasReturn = end > start && received[end - 1] == 0x0D
                let line = start..<(hasReturn ? end - 1 : end)
                start = end + 1
                if !line.isEmpty {
                    try refuseOtherBytes(at: line.lowerBound, if: lines.isEmpty)
                    if lines.isEmpty { isHead = Self.asksForHead(received[line]) }
                    lines.append(line)
                } else if !lines.isEmpty {
                    defer { received.removeFirst(start) }
                    return try RequestHead(lines: lines.map { received[$0] })
                }
                // Else it is an empty line before the request (RFC 9112, 2.2).
            }
            guard received.count < Self.mostHeadBytes else { throw tooLong(lines) }
            if received.count > start { try refuseOtherBytes(at: start, if: lines.isEmpty) }
            received += try await connection.read(atMost: 4096)
        }
    }

    /// Of a first line that does not have its three words nothing can be told.
    private static func asksForHead(_ line: ArraySlice<UInt8>) -> Bool {
        line.starts(with: "HEAD ".utf8) && line.count(where: { $0 == 0x20 }) == 2
    }

    /// Throws for what is no text: a client that speaks TLS sends no line end, and would wait.
    private func refuseOtherBytes(at start: Int, if isFirst: Bool) throws(MalformedRequest) {
        guard isFirst, received[start].isNoText else { return }
        throw MalformedRequest("this is no HTTP request; use http, without TLS")
    }

    /// Drops a body; false if the connection has to end after the answer, as it is not read: one
    /// that is too long, waits for a word, or is in chunks, which no request here has to be.
    mutating func skipBody(of request: RequestHead) async throws -> Bool {
        let length = try request.bodyLength()
        if length == 0 { return true }
        guard let length, length <= Self.mostBodyBytes,
            !request.words(of: "Expect").contains("100-continue")
        else { return false }
        while received.count < length {
            received += try await connection.read(atMost: length - received.count)
        }
        received.removeFirst(length)
        return true
    }

    private mutating func tooLong(_ lines: [Range<Int>]) -> MalformedRequest {
        isHead = received.starts(with: "HEAD ".utf8)
        return lines.isEmpty
            ? MalformedRequest("the address is too long; use a shorter one", status: 414)
            : MalformedRequest("the head is too long; send fewer fields", status: 431)
    }
}
