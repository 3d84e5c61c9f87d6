#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// The server's end of a player's connection, for sending a body's bytes without a copy.
///
/// It is a duplicate descriptor, so the connection stays open as long as the object exists.
final class PlayerSocket: Sendable {
    /// The player has closed its connection.
    struct Gone: Error {}

    /// A fast player makes room within this time; for a slower one no thread waits.
    private static let patienceMilliseconds: Int32 = 20

    #if canImport(Darwin)
        // The server has already disabled the signal for this socket.
        private static let flags = MSG_DONTWAIT
    #else
        private static let flags = Int32(MSG_DONTWAIT) | Int32(MSG_NOSIGNAL)
    #endif

    /// The socket, open as long as the object exists.
    let descriptor: Int32

    /// Takes ownership of a descriptor, which it closes.
    init(descriptor: Int32) {
        self.descriptor = descriptor
    }

    deinit { close(descriptor) }

    /// Sends as many bytes as the player accepts without a long wait.
    ///
    /// - Parameter bytes: the bytes to send.
    /// - Returns: how many were sent; fewer than given if the socket stayed full.
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
