internal import RigModel
internal import Synchronization

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// The port that an iteration's workers listen on, which `{port}` names.
///
/// It stays the same from launch to launch, because a cache may know a video by an address in which
/// the port stands; only when another program has taken it meanwhile is it another one.
final class FreePort: Sendable {
    private let picked = Mutex<UInt16?>(nil)

    /// The port, which nobody listens on now.
    ///
    /// - Throws: ``RigError`` with exit code 70 when there is none.
    func pick() throws -> UInt16 {
        try picked.withLock { picked in
            if let port = picked, Self.bound(to: port) != nil { return port }
            guard let port = Self.bound(to: 0) else {
                throw RigError(
                    .failure, "there is no free port on 127.0.0.1; end programs that listen there")
            }
            picked = port
            return port
        }
    }

    /// The port that a socket could be bound to; nil when it is taken.
    private static func bound(to port: UInt16) -> UInt16? {
        #if canImport(Glibc)
            let socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue) | O_CLOEXEC, 0)
        #else
            let socket = Darwin.socket(AF_INET, SOCK_STREAM, 0)
        #endif
        guard socket >= 0 else { return nil }
        defer { close(socket) }
        // Connections that a killed server has left do not keep a port, for this socket as for
        // that of any server.
        var isOn: Int32 = 1
        setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &isOn, socklen_t(MemoryLayout<Int32>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let status = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                // A socket that listens keeps its port from others also when both may reuse it.
                bind(socket, $0, length) == 0 ? getsockname(socket, $0, &length) : -1
            }
        }
        return status == 0 ? UInt16(bigEndian: address.sin_port) : nil
    }
}
