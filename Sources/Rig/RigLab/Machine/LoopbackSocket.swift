internal import Glibc
internal import RigModel
internal import Synchronization

/// A TCP socket of the rig's own on 127.0.0.1.
enum LoopbackSocket {
    static func open() -> Int32 { socket(AF_INET, Int32(SOCK_STREAM.rawValue) | O_CLOEXEC, 0) }

    /// Opens a socket and binds it to a port, or for 0 to any free one; nil when the port is taken.
    ///
    /// Connections that a killed server left behind do not block the port, as for any server. A
    /// listening socket blocks its port even if both sockets allow reuse.
    static func bound(to port: UInt16) -> (descriptor: Int32, port: UInt16)? {
        let descriptor = open()
        guard descriptor >= 0 else { return nil }
        var isOn: Int32 = 1
        setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &isOn, socklen_t(MemoryLayout<Int32>.size))
        var address = Self.address(port)
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let status = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, length) == 0 ? getsockname(descriptor, $0, &length) : -1
            }
        }
        guard status == 0 else {
            close(descriptor)
            return nil
        }
        return (descriptor, UInt16(bigEndian: address.sin_port))
    }

    /// Connects a socket to a port; false if it accepts no connections, for the reason in `errno`.
    static func connect(_ descriptor: Int32, to port: UInt16) -> Bool {
        let address = Self.address(port)
        return withUnsafePointer(to: address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
    }

    private static func address(_ port: UInt16) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return address
    }
}

/// The port that an iteration's workers listen on, `{port}`: the same for all launches, as a cache
/// may identify a video by it, until another program takes it; concurrent iterations choose here,
/// and never get the same one, though the kernel may give it to another socket until the worker
/// listens.
final class FreePort: Sendable {
    private let picked = Mutex<UInt16?>(nil)
    private static let taken = Mutex<Set<UInt16>>([])

    deinit {
        guard let port = picked.withLock({ $0 }) else { return }
        _ = Self.taken.withLock { $0.remove(port) }
    }

    /// The port, on which nothing listens now; throws exit code 70 when no port is free.
    func pick() throws -> UInt16 {
        try picked.withLock { picked in
            if let port = picked, Self.bound(to: port) != nil { return port }
            guard let port = Self.another() else {
                throw RigError(
                    .failure, "there is no free port on 127.0.0.1; end programs that listen there")
            }
            if let old = picked { _ = Self.taken.withLock { $0.remove(old) } }
            picked = port
            return port
        }
    }

    /// A port that no other iteration has; nil when no port is free.
    private static func another() -> UInt16? {
        for _ in 0..<1_000 {
            guard let port = bound(to: 0) else { return nil }
            if taken.withLock({ $0.insert(port).inserted }) { return port }
        }
        return nil
    }

    private static func bound(to port: UInt16) -> UInt16? {
        guard let socket = LoopbackSocket.bound(to: port) else { return nil }
        close(socket.descriptor)
        return socket.port
    }
}
