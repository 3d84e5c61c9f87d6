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
        guard let socket = LoopbackSocket.bound(to: port) else { return nil }
        close(socket.descriptor)
        return socket.port
    }
}
