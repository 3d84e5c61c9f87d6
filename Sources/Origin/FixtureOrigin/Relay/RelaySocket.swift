internal import Glibc

/// A connected socket of a relay, for blocking calls; closed when its last reference is released.
///
/// A thread that reads from it holds a reference, so its descriptor is never reused meanwhile.
final class RelaySocket: Sendable {
    private let descriptor: Int32

    /// Takes ownership of a connected socket.
    init(owning descriptor: Int32) {
        self.descriptor = descriptor
        set(Int32(IPPROTO_TCP), TCP_NODELAY, Int32(1))
    }

    deinit { close(descriptor) }

    /// Connects to a port of 127.0.0.1; nil when the connection fails.
    static func connected(to port: UInt16) -> RelaySocket? {
        guard let descriptor = LoopbackAddress.newSocket() else { return nil }
        let connected = RelaySocket(owning: descriptor)
        let status = LoopbackAddress.with(port: port) { connect(descriptor, $0, $1) }
        return status == 0 ? connected : nil
    }

    /// This side's port; 0 when the connection no longer exists.
    var localPort: UInt16 { LoopbackAddress.localPort(of: descriptor) }

    /// The other side's port; 0 when the connection no longer exists.
    var peerPort: UInt16 { LoopbackAddress.peerPort(of: descriptor) }

    /// Waits for bytes; returns their number, 0 at the connection's end, nil on failure.
    func receive(into buffer: inout [UInt8]) -> Int? {
        while true {
            let count = buffer.withUnsafeMutableBytes {
                recv(descriptor, $0.baseAddress, $0.count, 0)
            }
            if count < 0, errno == EINTR { continue }
            return count < 0 ? nil : count
        }
    }

    /// Sends all bytes, as fast as the other side accepts them; false when the connection failed.
    func send(_ bytes: ArraySlice<UInt8>) -> Bool {
        var rest = bytes
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes {
                Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }

    /// Shuts down both directions, which wakes any thread blocked on the socket.
    func end() { _ = shutdown(descriptor, Int32(SHUT_RDWR)) }

    /// Tells the other side that no more bytes follow.
    func endSending() { _ = shutdown(descriptor, Int32(SHUT_WR)) }

    /// Makes the socket reset its connection when it is closed, and wakes a blocked reader.
    ///
    /// The reset drops what the other side's kernel has not taken yet: see `untakenBytes`.
    func resetWhenClosed() {
        set(SOL_SOCKET, SO_LINGER, linger(l_onoff: 1, l_linger: 0))
        _ = shutdown(descriptor, Int32(SHUT_RD))
    }

    /// How many of the sent bytes the other side's kernel has not taken yet.
    var untakenBytes: Int32 {
        var waiting: Int32 = 0
        let status = ioctl(descriptor, UInt(TIOCOUTQ), &waiting)
        return status == 0 ? waiting : 0
    }

    private func set<Value: BitwiseCopyable>(_ level: Int32, _ option: Int32, _ value: Value) {
        // If the connection no longer exists, the next read reports it; this error can be ignored.
        _ = withUnsafeBytes(of: value) {
            setsockopt(descriptor, level, option, $0.baseAddress, socklen_t($0.count))
        }
    }
}

/// Sockets of the loopback interface.
enum LoopbackAddress {
    /// A stream socket that child processes do not inherit.
    static func newSocket() -> Int32? {
        let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        let descriptor = socket(AF_INET, kind, 0)
        return descriptor >= 0 ? descriptor : nil
    }

    /// Calls the body with the address of a port of 127.0.0.1.
    static func with(
        port: UInt16, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
    ) -> Int32 {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
    }

    /// The port that a socket is bound to; 0 if there is none.
    static func localPort(of descriptor: Int32) -> UInt16 {
        port { getsockname(descriptor, $0, $1) }
    }

    /// The port that a socket is connected to; 0 if there is none.
    static func peerPort(of descriptor: Int32) -> UInt16 {
        port { getpeername(descriptor, $0, $1) }
    }

    private static func port(
        _ ask: (UnsafeMutablePointer<sockaddr>, UnsafeMutablePointer<socklen_t>) -> Int32
    ) -> UInt16 {
        var address = sockaddr_in()
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let status = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { ask($0, &size) }
        }
        return status == 0 ? UInt16(bigEndian: address.sin_port) : 0
    }
}
