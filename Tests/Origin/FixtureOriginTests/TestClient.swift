import Foundation
import Synchronization
import Testing

@testable import FixtureOrigin

/// A response as the test client received it.
struct Reply: Sendable {
    var status: Int
    var headers: [String: String]
    var body: [UInt8]
}

/// A client made of one plain socket, so that a test sees every byte and the connection's end.
///
/// Its calls block, so they must be made within `offPool`: a blocked test would occupy the threads
/// that the server under test runs on.
final class TestClient: Sendable {
    enum Failure: Error { case cannotConnect(Int32), timedOut, ended, badHead(String) }

    private let descriptor: Int32
    private let resetSeen = Atomic(false)

    /// Connects to a port on a loopback address (127.0.0.0/8).
    init(port: UInt16, address host: UInt32 = 0x7F00_0001, receiveBuffer: Int32? = nil) throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        // A lost wake-up in the server must fail the test instead of hanging the run.
        var patience = timeval(tv_sec: 30, tv_usec: 0)
        setsockopt(
            descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
        if var size = receiveBuffer {
            setsockopt(
                descriptor, SOL_SOCKET, SO_RCVBUF, &size, socklen_t(MemoryLayout<Int32>.size))
        }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = host.bigEndian
        let result = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        // The object is initialized here, so its deinit closes the socket.
        guard result == 0 else { throw Failure.cannotConnect(errno) }
    }

    deinit { close(descriptor) }

    func send(_ method: String = "GET", _ path: String, _ headers: [String] = []) {
        let lines = ["\(method) \(path) HTTP/1.1", "Host: 127.0.0.1"] + headers + ["", ""]
        let bytes = Array(lines.joined(separator: "\r\n").utf8)
        _ = Foundation.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL))
    }

    /// Reads exactly this many bytes, fewer only at the connection's end.
    func read(_ count: Int) throws -> [UInt8] {
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

    #if os(Linux)
        /// How many segments with data have arrived, as the kernel counts them.
        var dataSegments: Int {
            // `tcpi_data_segs_in` of the kernel's `struct tcp_info`, which the C library lacks.
            let offset = 152
            var info = [UInt8](repeating: 0, count: 256)
            var size = socklen_t(info.count)
            getsockopt(descriptor, Int32(IPPROTO_TCP), TCP_INFO, &info, &size)
            return Int(
                info.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: offset, as: UInt32.self) })
        }
    #endif

    /// The local port.
    var port: UInt16 { LoopbackAddress.localPort(of: descriptor) }

    /// Reads everything until the connection's end.
    func readToEnd() throws -> [UInt8] {
        var bytes: [UInt8] = []
        while true {
            let more = try read(1)
            if more.isEmpty { return bytes }
            bytes += more
        }
    }

    /// True if a read has found the connection reset.
    var wasReset: Bool { resetSeen.load(ordering: .relaxed) }

    /// True if a byte or the connection's end can be read at once.
    var isReadable: Bool {
        var byte: UInt8 = 0
        return recv(descriptor, &byte, 1, Int32(MSG_PEEK) | Int32(MSG_DONTWAIT)) >= 0
    }

    /// Reads the status line and the header fields; their names are in lower case.
    func readHead() throws -> Reply {
        var text = ""
        while !text.hasSuffix("\r\n\r\n") {
            let byte = try read(1)
            guard let byte = byte.first else { throw Failure.ended }
            text.unicodeScalars.append(Unicode.Scalar(byte))
        }
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
        return Reply(status: code, headers: headers, body: [])
    }

    /// Sends one request and reads its whole answer.
    func exchange(
        _ method: String = "GET", _ path: String, _ headers: [String] = []
    ) throws -> Reply {
        send(method, path, headers)
        var reply = try readHead()
        let isBodiless = method == "HEAD" || reply.status == 304
        let count = Int(reply.headers["content-length"] ?? "") ?? 0
        reply.body = isBodiless ? [] : try read(count)
        return reply
    }
}
