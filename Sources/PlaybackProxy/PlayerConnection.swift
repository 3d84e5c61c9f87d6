internal import Dispatch

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// Notices that a player has closed its connection, while the server only writes, or waits (F3).
///
/// The server reads a connection again only when its answer has gone out, and a failing write tells
/// of a closed connection late, or never while an origin is silent.
final class PlayerConnection: Sendable {
    // Descriptors are given out lowest first, so the search ends long before this.
    private static let mostDescriptors: Int32 = 1 << 16

    // Safe: never assigned again, and a dispatch source may be cancelled on any thread.
    private nonisolated(unsafe) let source: (any DispatchSourceRead)?

    /// Begins to watch.
    ///
    /// - Parameters:
    ///   - playerPort: the player's port on 127.0.0.1.
    ///   - serverPort: the port that it connected to.
    ///   - onClosed: called once, on some thread, when the player has closed.
    init(playerPort: UInt16, serverPort: UInt16, onClosed: @escaping @Sendable () -> Void) {
        guard let descriptor = Self.descriptor(from: serverPort, to: playerPort) else {
            source = nil
            return
        }
        let source = DispatchSource.makeReadSource(
            fileDescriptor: descriptor, queue: .global(qos: .userInitiated))
        self.source = source
        source.setEventHandler { [weak self] in
            switch Self.look(at: descriptor) {
            case .nothing: return
            case .closed: onClosed()
            // A next request that was sent early. What comes after it cannot be seen from here.
            case .bytes: break
            }
            self?.end()
        }
        source.setCancelHandler { close(descriptor) }
        source.activate()
    }

    deinit { end() }

    /// Stops watching; must come before the server closes the connection, which stays open so long.
    func end() { source?.cancel() }

    private enum Sight { case nothing, bytes, closed }

    /// What can be read right now, without reading it.
    private static func look(at descriptor: Int32) -> Sight {
        var byte: UInt8 = 0
        let count = recv(descriptor, &byte, 1, Int32(MSG_PEEK) | Int32(MSG_DONTWAIT))
        if count > 0 { return .bytes }
        // A player that has only shut down its sending half looks the same, and none does that.
        if count == 0 { return .closed }
        return [EAGAIN, EWOULDBLOCK, EINTR].contains(errno) ? .nothing : .closed
    }

    /// A descriptor of one's own for the server's end of a connection; nil when there is none.
    ///
    /// The server keeps its sockets to itself, so they are found by their two ports. The
    /// descriptor is a duplicate: it stays the same socket when the server closes its own.
    private static func descriptor(from serverPort: UInt16, to playerPort: UInt16) -> Int32? {
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
