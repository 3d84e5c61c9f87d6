internal import Glibc

enum PlayerError: Error, Sendable, Hashable, CustomStringConvertible {
    case system(String, errno: Int32)
    case noAnswer
    case malformed(String)
    case dropped

    var description: String {
        switch self {
        case .system(let call, let code): "\(call): \(String(cString: strerror(code)))"
        case .noAnswer: "the connection ended without an answer"
        case .malformed(let line): "the answer begins with '\(line.prefix(80))'"
        case .dropped: "given up"
        }
    }
}

struct PlayerAnswer: Sendable, Hashable {
    var status: Int
    /// The header fields, by lower-case name.
    var headers: [String: String] = [:]

    init(head: String) throws(PlayerError) {
        var lines = head.split(separator: "\r\n", omittingEmptySubsequences: false)[...]
        let first = lines.popFirst() ?? ""
        let words = first.split(separator: " ", maxSplits: 2)
        guard words.count >= 2, words[0].hasPrefix("HTTP/1."), let status = Int(words[1]) else {
            throw .malformed(String(first))
        }
        self.status = status
        for line in lines {
            let parts = line.split(separator: ":", maxSplits: 1)
            guard parts.count == 2 else { continue }
            headers[parts[0].lowercased()] = parts[1].drop { $0 == " " }.description
        }
    }
}

/// One connection of a player, for one request, on a plain socket: a client library hides when a
/// connection closes, and reads ahead of its caller.
final class PlayerConnection {
    private let socket: Int32
    private let isDropped: @Sendable () -> Bool
    private var rest: [UInt8] = []

    init(
        port: UInt16, within seconds: Int = 0, isDropped: @escaping @Sendable () -> Bool
    ) throws(PlayerError) {
        socket = LoopbackSocket.open()
        self.isDropped = isDropped
        guard socket >= 0 else { throw .system("socket", errno: errno) }
        // A wait checks ten times a second whether the answer is still wanted.
        var nap = timeval(tv_sec: 0, tv_usec: 100_000)
        setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &nap, socklen_t(MemoryLayout<timeval>.size))
        var patience = timeval(tv_sec: seconds, tv_usec: 0)
        setsockopt(
            socket, SOL_SOCKET, SO_SNDTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
        guard LoopbackSocket.connect(socket, to: port) else {
            throw .system("connect", errno: errno)
        }
    }

    deinit { close(socket) }

    func send(_ text: String) throws(PlayerError) {
        var bytes = Array(text.utf8)[...]
        while !bytes.isEmpty {
            let count = bytes.withUnsafeBytes {
                Glibc.send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw .system("send", errno: errno) }
            bytes.removeFirst(count)
        }
    }

    func readHead() throws(PlayerError) -> PlayerAnswer {
        let end = Array("\r\n\r\n".utf8)
        var searched = 0
        while rest.count < 64 << 10 {
            let place = (max(0, searched - 3)..<rest.count).first { rest[$0...].starts(with: end) }
            if let place {
                let head = String(decoding: rest[..<place], as: UTF8.self)
                rest.removeFirst(place + end.count)
                return try PlayerAnswer(head: head)
            }
            searched = rest.count
            let piece = try receive(atMost: 4096)
            guard !piece.isEmpty else { throw .noAnswer }
            rest += piece
        }
        throw .malformed("64 KB without an end of the head")
    }

    /// The next bytes of the body, at most `count`; none at the end of the connection.
    func readBody(atMost count: Int) throws(PlayerError) -> [UInt8] {
        guard rest.isEmpty else {
            let piece = Array(rest.prefix(count))
            rest.removeFirst(piece.count)
            return piece
        }
        return try receive(atMost: count)
    }

    private func receive(atMost count: Int) throws(PlayerError) -> [UInt8] {
        while true {
            var failure: Int32 = 0
            let piece = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
                let got = recv(socket, buffer.baseAddress, count, 0)
                failure = got < 0 ? errno : 0
                filled = max(0, got)
            }
            if failure == 0 { return piece }
            guard [EINTR, EAGAIN, EWOULDBLOCK].contains(failure) else {
                throw .system("recv", errno: failure)
            }
            if isDropped() { throw .dropped }
        }
    }
}
