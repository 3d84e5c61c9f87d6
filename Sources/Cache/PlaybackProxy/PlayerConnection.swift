#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#elseif canImport(Darwin)
    internal import Darwin
#endif
internal import Synchronization

/// Notices that a player has closed its connection while the server only writes or waits (F3).
///
/// The server reads a connection again only after its response is sent. A failing write reveals a
/// closed connection late, or never while an origin is silent.
final class PlayerConnection: Sendable {
    private let watch: PlayerWatch
    private let number: Int?
    private let heldSocket: Mutex<PlayerSocket?>

    /// The socket for sending a body; nil after the watch has ended, or if it was not found.
    var socket: PlayerSocket? { heldSocket.withLock { $0 } }

    /// Starts watching.
    ///
    /// - Parameters:
    ///   - watch: watches the connection, among all others.
    ///   - playerPort: the player's port on 127.0.0.1.
    ///   - serverPort: the port that it connected to.
    ///   - onClosed: called once, on any thread, when the player has closed; must not block.
    init(
        watch: PlayerWatch, playerPort: UInt16, serverPort: UInt16,
        onClosed: @escaping @Sendable () -> Void
    ) {
        self.watch = watch
        let socket = ServerSocket.duplicate(from: serverPort, to: playerPort)
            .map { PlayerSocket(descriptor: $0) }
        heldSocket = Mutex(socket)
        number = socket.flatMap { watch.add($0, onClosed: onClosed) }
    }

    deinit { end() }

    /// Stops watching; needed before the server's close, or the connection stays open.
    func end() {
        if let number { watch.remove(number) }
        heldSocket.withLock { $0 = nil }
    }
}

/// Finds the server's end of a connection by its two ports, because the server does not expose it.
private enum ServerSocket {
    // The lowest free descriptor is always used, so the search ends long before this.
    private static let mostDescriptors: Int32 = 1 << 16

    /// A duplicate of the connection's descriptor; nil if there is none.
    ///
    /// The duplicate still refers to the same socket after the server closes its own.
    static func duplicate(from serverPort: UInt16, to playerPort: UInt16) -> Int32? {
        guard let original = original(from: serverPort, to: playerPort) else { return nil }
        let duplicate = fcntl(original, F_DUPFD_CLOEXEC, 0)
        return duplicate < 0 ? nil : duplicate
    }

    private static func original(from serverPort: UInt16, to playerPort: UInt16) -> Int32? {
        (0..<mostDescriptors).first {
            port(of: $0, by: getpeername) == playerPort
                && port(of: $0, by: getsockname) == serverPort
        }
    }

    private typealias NameFunction = (
        Int32, UnsafeMutablePointer<sockaddr>, UnsafeMutablePointer<socklen_t>
    ) -> Int32

    private static func port(of descriptor: Int32, by name: NameFunction) -> UInt16? {
        var address = sockaddr_in()
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let result = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                name(descriptor, $0, &size)
            }
        }
        guard result == 0, Int32(address.sin_family) == AF_INET else { return nil }
        return UInt16(bigEndian: address.sin_port)
    }
}
