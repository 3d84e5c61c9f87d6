internal import Glibc
internal import RigModel
internal import Synchronization

/// The port that an iteration's workers listen on, `{port}`.
///
/// It stays the same across launches, because a cache may identify a video by an address that
/// contains the port. It changes only when another program has taken the port in the meantime.
///
/// Until the worker listens on it, the kernel may give the port to another socket. Concurrent
/// iterations choose their ports here, so two of them never get the same one.
final class FreePort: Sendable {
    private let picked = Mutex<UInt16?>(nil)
    /// The ports of all unfinished iterations.
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

    /// The port that a socket could be bound to; nil when it is taken.
    private static func bound(to port: UInt16) -> UInt16? {
        guard let socket = LoopbackSocket.bound(to: port) else { return nil }
        close(socket.descriptor)
        return socket.port
    }
}
