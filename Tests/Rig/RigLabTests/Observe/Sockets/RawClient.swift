import Foundation
import TestSupport

/// A client made of one plain socket, which reads exactly what a test asks for.
///
/// Its calls block, so they are made on a separate thread.
final class RawClient: Sendable {
    /// Why a client could not connect.
    struct Failure: Error {
        let call: String
        let reason: String
    }

    let descriptor: Int32
    /// The local port.
    let port: UInt16

    /// Connects to a port of 127.0.0.1, from a local port if one is given.
    ///
    /// Otherwise it is bound to an unshared port. A port that `connect` chooses may be shared
    /// with sockets of other tests that are connected elsewhere; binding to it again then
    /// failed with "Address already in use", in about one of ten runs.
    ///
    /// A port that is given is waited for. A program that another test starts has this
    /// process's sockets between fork and exec, so a closed one may stay open for that long.
    init(to origin: UInt16, from own: UInt16 = 0) throws {
        // That program must not keep the socket.
        let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        descriptor = socket(AF_INET, kind, 0)
        var isOn: Int32 = 1
        setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &isOn, 4)
        var patience = timeval(tv_sec: 30, tv_usec: 0)
        setsockopt(
            descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
        let fd = descriptor
        let size = socklen_t(MemoryLayout<sockaddr_in>.size)
        try Self.untilFree("bind to port \(own)") {
            Self.with(Self.address(own)) { bind(fd, $0, size) }
        }
        var bound = sockaddr_in()
        var length = size
        _ = withUnsafeMutablePointer(to: &bound) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(fd, $0, &length) }
        }
        port = UInt16(bigEndian: bound.sin_port)
        try Self.untilFree("connect from port \(port) to \(origin)") {
            Self.with(Self.address(origin)) { connect(fd, $0, size) }
        }
    }

    /// Repeats a call until it succeeds, or fails for another reason than a port in use.
    private static func untilFree(_ name: String, _ call: () -> Int32) throws {
        try blockUntil("the port is free to \(name)") {
            guard call() != 0 else { return true }
            let reason = errno
            guard reason == EADDRINUSE || reason == EADDRNOTAVAIL else {
                throw Failure(call: name, reason: String(cString: strerror(reason)))
            }
            return false
        }
    }

    private static func with(
        _ address: sockaddr_in, _ call: (UnsafePointer<sockaddr>) -> Int32
    ) -> Int32 {
        withUnsafePointer(to: address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1, call)
        }
    }

    private static func address(_ port: UInt16) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return address
    }

    /// Sends a request, and reads nothing.
    func ask(_ path: String, range: String? = nil, method: String = "GET") {
        let fields = ["Host: 127.0.0.1"] + (range.map { ["Range: bytes=\($0)"] } ?? [])
        let lines = ["\(method) \(path) HTTP/1.1"] + fields + ["", ""]
        let bytes = Array(lines.joined(separator: "\r\n").utf8)
        _ = send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL))
    }

    /// Reads this many bytes, fewer only at the end of the stream.
    @discardableResult
    func read(_ count: Int) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        var done = 0
        while done < count {
            let got = bytes.withUnsafeMutableBytes {
                recv(descriptor, $0.baseAddress.map { $0 + done }, count - done, 0)
            }
            if got <= 0 { break }
            done += got
        }
        return Array(bytes[..<done])
    }

    /// Reads a head, and no byte beyond it.
    func readHead() {
        var last: [UInt8] = []
        while last.suffix(4) != Array("\r\n\r\n".utf8) {
            let byte = read(1)
            if byte.isEmpty { return }
            last += byte
        }
    }

    /// Sends a request, and reads the head of its answer and this many bytes of the body.
    func take(_ path: String, range: String? = nil, method: String = "GET", reading count: Int = 0)
    {
        ask(path, range: range, method: method)
        readHead()
        read(count)
    }

    /// Waits until there is a byte to read, without reading it.
    func waitForMore() throws {
        var byte: UInt8 = 0
        guard recv(descriptor, &byte, 1, Int32(MSG_PEEK)) == 1 else {
            throw Failure(call: "recv", reason: String(cString: strerror(errno)))
        }
    }

    /// Closes the socket with a reset, so that the kernel forgets what it had received.
    func abort() {
        var now = linger(l_onoff: 1, l_linger: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &now, socklen_t(MemoryLayout<linger>.size))
        close(descriptor)
    }

    /// Closes the socket; unread bytes are lost.
    func end() { close(descriptor) }
}
