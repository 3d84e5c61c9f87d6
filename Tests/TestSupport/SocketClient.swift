import Foundation
import Synchronization

/// A response as a client received it.
package struct Reply: Sendable {
    package let status: Int
    /// The header fields; their names are in lower case.
    package let headers: [String: String]
    package var body: [UInt8] = []

    package var text: String { String(decoding: body, as: UTF8.self) }
}

/// An HTTP client made of one plain socket, so that a test sees every byte and the connection's end.
///
/// Its calls block, so they must be made within ``offPool(_:)``: a blocked test would occupy the
/// threads that the server under test runs on.
package final class SocketClient: Sendable {
    package enum Failure: Error { case cannotConnect(Int32), timedOut, ended, badHead(String) }

    package let descriptor: Int32
    /// The port at this end; 0 where none was asked for.
    package let ownPort: UInt16
    private let port: UInt16
    private let resetSeen = Atomic(false)
    private let isClosed = Atomic(false)

    /// Connects to a port on a loopback address (127.0.0.0/8); with a small receive buffer the
    /// server can send little before the client reads.
    ///
    /// From its own port, if one is given, or with 0 from an unshared one. A port that `connect`
    /// chooses may be shared with sockets of other tests that are connected elsewhere; binding to it
    /// again then failed with "Address already in use", in about one of ten runs.
    package init(
        port: UInt16, address host: UInt32 = 0x7F00_0001, receiveBuffer: Int32? = nil,
        from own: UInt16? = nil
    ) throws {
        self.port = port
        // A program that a test starts must not keep the socket.
        let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        let descriptor = socket(AF_INET, kind, 0)
        self.descriptor = descriptor
        ownPort = try own.map { try Self.bound(descriptor, to: $0) } ?? 0
        // A lost wake-up in the server must fail the test instead of hanging the run.
        var patience = timeval(tv_sec: 30, tv_usec: 0)
        setsockopt(
            descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
        if var size = receiveBuffer {
            setsockopt(
                descriptor, SOL_SOCKET, SO_RCVBUF, &size, socklen_t(MemoryLayout<Int32>.size))
        }
        // The object is initialized here, so its deinit closes the socket.
        let address = sockaddr_in.loopback(port: port, host: host)
        try Self.untilFree { address.given { connect(descriptor, $0, $1) } }
    }

    deinit { end() }

    /// Binds a socket to a port; returns the port, of the kernel's choice for 0.
    private static func bound(_ descriptor: Int32, to port: UInt16) throws -> UInt16 {
        var isOn: Int32 = 1
        setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &isOn, 4)
        var address = sockaddr_in.loopback(port: port)
        try untilFree { address.given { bind(descriptor, $0, $1) } }
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        _ = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                getsockname(descriptor, $0, &length)
            }
        }
        return UInt16(bigEndian: address.sin_port)
    }

    /// Repeats a call until it succeeds, or fails for another reason than a port in use: a program
    /// that another test starts has this process's sockets between fork and exec, so a closed one
    /// may stay open for that long.
    private static func untilFree(_ call: () -> Int32) throws {
        try blockUntil("the port is free") {
            guard call() != 0 else { return true }
            let reason = errno
            guard [EADDRINUSE, EADDRNOTAVAIL].contains(reason) else {
                throw Failure.cannotConnect(reason)
            }
            return false
        }
    }

    /// Closes the socket; unread bytes are lost.
    package func end() { if !isClosed.exchange(true, ordering: .relaxed) { close(descriptor) } }

    /// Closes the socket with a reset, so that the kernel forgets what it had received.
    package func abort() {
        var now = linger(l_onoff: 1, l_linger: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &now, socklen_t(MemoryLayout<linger>.size))
        end()
    }

    /// Disconnects at once, while bytes may be in flight.
    package func hangUp() { shutdown(descriptor, Int32(SHUT_RDWR)) }

    /// Sends a request; a `Host` header in the list replaces the default one.
    package func send(
        _ method: String = "GET", _ path: String, _ headers: [String] = [],
        version: String = "HTTP/1.1"
    ) {
        let host = headers.contains { $0.hasPrefix("Host:") } ? [] : ["Host: 127.0.0.1:\(port)"]
        let lines = ["\(method) \(path) \(version)"] + host + headers + ["", ""]
        send(raw: lines.joined(separator: "\r\n"))
    }

    /// Sends a text as it is, in Latin-1, or as UTF-8 if it has other characters.
    package func send(raw text: String) {
        let latin = text.unicodeScalars.compactMap { UInt8(exactly: $0.value) }
        let bytes = latin.count == text.unicodeScalars.count ? latin : Array(text.utf8)
        _ = Foundation.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL))
    }

    /// Reads exactly this many bytes, fewer only at the connection's end.
    @discardableResult
    package func read(_ count: Int) throws -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        var done = 0
        while done < count {
            let got = bytes.withUnsafeMutableBytes { buffer in
                recv(descriptor, buffer.baseAddress.map { $0 + done }, count - done, 0)
            }
            if got < 0, errno == ECONNRESET { resetSeen.store(true, ordering: .relaxed) }
            if got == 0 || (got < 0 && errno == ECONNRESET) { break }
            if got < 0, errno == EINTR { continue }
            guard got > 0 else { throw Failure.timedOut }
            done += got
        }
        return Array(bytes[..<done])
    }

    /// True if a read has found the connection reset.
    package var wasReset: Bool { resetSeen.load(ordering: .relaxed) }

    /// Reads everything until the connection's end.
    package func readToEnd() throws -> [UInt8] {
        var bytes: [UInt8] = []
        while case let more = try read(1 << 16), !more.isEmpty { bytes += more }
        return bytes
    }

    /// Reads up to and including an end; bytes are Latin-1.
    private func read(until end: String) throws -> String {
        var text = ""
        while !text.hasSuffix(end) {
            guard let byte = try read(1).first else { throw Failure.ended }
            text.unicodeScalars.append(Unicode.Scalar(byte))
        }
        return text
    }

    /// Reads the status line and the header fields.
    package func readHead() throws -> Reply {
        let text = try read(until: "\r\n\r\n")
        let lines = text.components(separatedBy: "\r\n").filter { !$0.isEmpty }
        let status = lines[0].split(separator: " ")
        guard status.count >= 3, status[0] == "HTTP/1.1", let code = Int(status[1]) else {
            throw Failure.badHead(text)
        }
        var headers: [String: String] = [:]
        for line in lines.dropFirst() {
            let parts = line.split(separator: ":", maxSplits: 1)
            let name = parts[0].lowercased()
            guard parts.count == 2, headers[name] == nil else { throw Failure.badHead(text) }
            headers[name] = parts[1].trimmingCharacters(in: .whitespaces)
        }
        return Reply(status: code, headers: headers)
    }

    /// Reads a chunked body; throws if it ends before its last chunk (RFC 9112, 7.1).
    package func readChunks() throws -> [UInt8] {
        var body: [UInt8] = []
        while true {
            let line = try read(until: "\r\n")
            guard let count = Int(line.dropLast(), radix: 16) else { throw Failure.badHead(line) }
            let bytes = try read(count + 2)
            guard bytes.count == count + 2 else { throw Failure.ended }
            body += bytes.dropLast(2)
            if count == 0 { return body }
        }
    }

    /// Runs work with a client of a port, on a thread of its own.
    package static func work<Value: Sendable>(
        at port: UInt16, _ body: @escaping @Sendable (SocketClient) throws -> Value
    ) async throws -> Value {
        try await offPool { try body(SocketClient(port: port)) }
    }

    /// A client that has sent a request, on a thread of its own.
    package static func asking(
        _ port: UInt16, _ method: String, _ path: String, _ headers: [String],
        receiveBuffer: Int32? = nil
    ) async throws -> SocketClient {
        try await offPool {
            let client = try SocketClient(port: port, receiveBuffer: receiveBuffer)
            client.send(method, path, headers)
            return client
        }
    }

    /// Reads a head and so many bytes behind it, fewer at the connection's end, on a thread of its
    /// own.
    package func answer(_ count: Int = 0) async throws -> Reply {
        try await offPool {
            var reply = try self.readHead()
            reply.body = try self.read(count)
            return reply
        }
    }

    /// Reads so many bytes, fewer only at the connection's end, on a thread of its own.
    package func taken(_ count: Int) async throws -> [UInt8] {
        try await offPool { try self.read(count) }
    }

    /// Sends one request and reads its whole answer.
    package func exchange(
        _ method: String = "GET", _ path: String, _ headers: [String] = []
    ) throws -> Reply {
        send(method, path, headers)
        var reply = try readHead()
        guard method != "HEAD", reply.status != 304 else { return reply }
        reply.body =
            reply.headers["transfer-encoding"] == "chunked"
            ? try readChunks() : try read(Int(reply.headers["content-length"] ?? "") ?? 0)
        return reply
    }
}
