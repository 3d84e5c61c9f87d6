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

    private let bell: Bell?

    /// Begins to watch, on a thread of its own.
    ///
    /// A dispatch source would need none. But sources on sockets that come and go by the hundred
    /// crash libdispatch's event loop on Linux after some thousand connections.
    ///
    /// - Parameters:
    ///   - playerPort: the player's port on 127.0.0.1.
    ///   - serverPort: the port that it connected to.
    ///   - onClosed: called once, on some thread, when the player has closed.
    init(playerPort: UInt16, serverPort: UInt16, onClosed: @escaping @Sendable () -> Void) {
        guard let descriptor = Self.descriptor(from: serverPort, to: playerPort) else {
            bell = nil
            return
        }
        guard let bell = Bell() else {
            close(descriptor)
            self.bell = nil
            return
        }
        self.bell = bell
        DispatchQueue(label: "proxy.player-connection", qos: .userInitiated).async {
            Self.watch(descriptor, until: bell, onClosed: onClosed)
            close(descriptor)
        }
    }

    deinit { end() }

    /// Stops watching; must come before the server closes the connection, which stays open so long.
    func end() { bell?.ring() }

    private static func watch(
        _ descriptor: Int32, until bell: Bell, onClosed: @Sendable () -> Void
    ) {
        while true {
            var waited = [
                pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
                pollfd(fd: bell.listening, events: Int16(POLLIN), revents: 0),
            ]
            let count = poll(&waited, 2, -1)
            guard count > 0 || errno == EINTR else { return }
            if waited[1].revents != 0 { return }
            guard count > 0, waited[0].revents != 0 else { continue }
            switch look(at: descriptor) {
            case .nothing: continue
            case .closed: return onClosed()
            // A next request that was sent early. What comes after it cannot be seen from here.
            case .bytes: return
            }
        }
    }

    /// Wakes a thread that waits in `poll`.
    private final class Bell: Sendable {
        let listening: Int32
        private let ringing: Int32

        init?() {
            var ends: [Int32] = [-1, -1]
            guard pipe(&ends) == 0 else { return nil }
            (listening, ringing) = (ends[0], ends[1])
            for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        }

        deinit {
            close(listening)
            close(ringing)
        }

        /// Rings; once is enough, and more do no harm.
        func ring() {
            var byte: UInt8 = 1
            _ = write(ringing, &byte, 1)
        }
    }

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
