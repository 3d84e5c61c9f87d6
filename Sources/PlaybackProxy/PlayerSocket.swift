#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// The server's end of a player's connection, to put a body's bytes on without a copy of them.
///
/// A descriptor of its own: it keeps the connection open for as long as the object lives.
final class PlayerSocket: Sendable {
    /// The player has gone.
    struct Gone: Error {}

    /// A player that reads as fast as we send makes room sooner; for a slower one no thread waits.
    private static let patienceMilliseconds: Int32 = 20

    #if canImport(Darwin)
        // The server has set the socket up to raise no signal.
        private static let flags = MSG_DONTWAIT
    #else
        private static let flags = Int32(MSG_DONTWAIT) | Int32(MSG_NOSIGNAL)
    #endif

    /// The socket, open for as long as the object lives.
    let descriptor: Int32

    /// Takes over a descriptor, and closes it in the end.
    init(descriptor: Int32) {
        self.descriptor = descriptor
    }

    deinit { close(descriptor) }

    /// Sends what the player takes without a long wait.
    ///
    /// - Parameter bytes: what to send.
    /// - Returns: how many of them were sent; fewer than there are when the socket has stayed full.
    /// - Throws: ``Gone``.
    func put(_ bytes: UnsafeRawBufferPointer) throws(Gone) -> Int {
        var sent = 0
        while sent < bytes.count {
            let rest = UnsafeRawBufferPointer(rebasing: bytes[sent...])
            let count = send(descriptor, rest.baseAddress, rest.count, Self.flags)
            if count >= 0 {
                sent += count
            } else if errno == EAGAIN || errno == EWOULDBLOCK {
                guard hasRoomSoon() else { return sent }
            } else if errno != EINTR {
                throw Gone()
            }
        }
        return sent
    }

    private func hasRoomSoon() -> Bool {
        var waited = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        return poll(&waited, 1, Self.patienceMilliseconds) > 0
    }
}
