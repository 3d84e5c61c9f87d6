/// Reads a connection's requests; what has arrived beyond one is kept for the next.
struct RequestReader {
    /// The most bytes of a head: a client that sends more would fill the memory.
    static let mostHeadBytes = 64 << 10
    /// The most bytes of a body that are read.
    static let mostBodyBytes = 2 << 20
    /// The most bytes of a line between chunks.
    private static let mostLineBytes = 4096

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

    /// Drops a body; false if the connection has to end after the answer, as it is not read.
    mutating func skipBody(of request: RequestHead) async throws -> Bool {
        let body = try RequestBody(of: request)
        if body == .bytes(0) { return true }
        if request.words(of: "Expect").contains("100-continue") { return false }
        switch body {
        case .bytes(let count):
            guard count <= Self.mostBodyBytes else { return false }
            try await skip(count)
            return true
        case .chunks: return try await skipChunks()
        }
    }

    /// Drops chunks, and the trailers after them (RFC 9112, 7.1).
    private mutating func skipChunks() async throws -> Bool {
        var total = 0
        while true {
            let count = try Self.chunkSize(try await line())
            guard count <= Self.mostBodyBytes - total else { return false }
            total += count
            guard count > 0 else { break }
            try await skip(count)
            guard try await line().isEmpty else {
                throw MalformedRequest("a chunk is longer than its size; send the right size")
            }
        }
        var trailers = RequestFields()
        while case let line = try await line(), !line.isEmpty {
            total += line.count
            guard total <= Self.mostBodyBytes else { return false }
            try trailers.add(line[...])
        }
        return true
    }

    /// The size that the line before a chunk says; what follows a semicolon is an extension.
    private static func chunkSize(_ line: [UInt8]) throws(MalformedRequest) -> Int {
        let digits = line.prefix { Character(Unicode.Scalar($0)).isHexDigit && $0 < 0x80 }
        let rest = line.dropFirst(digits.count).drop { $0 == 0x20 || $0 == 0x09 }
        let isExtended = rest.first == UInt8(ascii: ";")
        guard isExtended || line.count == digits.count,
            let size = Int(String(fieldBytes: digits), radix: 16)
        else { throw MalformedRequest("the size of a chunk is no number; send one") }
        return size
    }

    /// The next line of the framing of chunks, without its end.
    private mutating func line() async throws -> [UInt8] {
        var searched = 0
        while true {
            if let end = received[searched...].firstIndex(of: UInt8(ascii: "\n")) {
                let line = received[..<end]
                guard line.last == 0x0D, !line.dropLast().contains(0x0D) else {
                    throw MalformedRequest("a line between chunks does not end in CR and LF")
                }
                defer { received.removeFirst(end + 1) }
                return Array(line.dropLast())
            }
            searched = received.count
            guard searched < Self.mostLineBytes else {
                throw MalformedRequest("a line between chunks is too long; send a shorter one")
            }
            received += try await connection.read(atMost: 4096)
        }
    }

    private mutating func skip(_ count: Int) async throws {
        while received.count < count {
            received += try await connection.read(atMost: count - received.count)
        }
        received.removeFirst(count)
    }

    private mutating func tooLong(_ lines: [Range<Int>]) -> MalformedRequest {
        isHead = received.starts(with: "HEAD ".utf8)
        return lines.isEmpty
            ? MalformedRequest("the address is too long; use a shorter one", status: 414)
            : MalformedRequest("the head is too long; send fewer fields", status: 431)
    }
}
