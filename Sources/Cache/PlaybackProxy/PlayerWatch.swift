internal import Foundation
internal import Synchronization

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// Watches all players' connections on one thread, which runs only while there are any.
///
/// One thread per player on dispatch queues would use up the threads that all queues share: about
/// 250 waiting players would block every other one. A dispatch source needs no thread, but with
/// hundreds of sockets opening and closing, sources crash libdispatch's event loop on Linux after
/// some thousand connections.
final class PlayerWatch: Sendable {
    private struct Player: Sendable {
        var socket: PlayerSocket
        var onClosed: @Sendable () -> Void
    }

    private struct Guarded {
        var last = 0
        var players: [Int: Player] = [:]
        var isWatching = false

        /// Removes a player; false if it was removed before.
        mutating func forget(_ number: Int) -> Bool {
            players.removeValue(forKey: number) != nil
        }
    }

    private let waker = PollWaker()
    private let guarded = Mutex(Guarded())

    /// Starts watching a connection.
    ///
    /// - Parameters:
    ///   - socket: the connection; released when it is no longer watched.
    ///   - onClosed: called once when the player has closed; must not block.
    /// - Returns: the number for ``remove(_:)``; nil if watching is impossible.
    func add(_ socket: PlayerSocket, onClosed: @escaping @Sendable () -> Void) -> Int? {
        guard let waker else { return nil }
        let (number, mustStart) = guarded.withLock { guarded in
            guarded.last += 1
            guarded.players[guarded.last] = Player(socket: socket, onClosed: onClosed)
            defer { guarded.isWatching = true }
            return (guarded.last, !guarded.isWatching)
        }
        if mustStart {
            Thread.detachNewThread { [self] in watch(waker) }
        } else {
            waker.ring()
        }
        return number
    }

    /// Stops watching a connection, and releases it at once; further calls do nothing.
    func remove(_ number: Int) {
        let wasThere = guarded.withLock { $0.forget(number) }
        if wasThere { waker?.ring() }
    }

    private func watch(_ waker: PollWaker) {
        while let players = next() {
            // Keeps the sockets open: a polled descriptor must not be reused for another file.
            withExtendedLifetime(players) { wait(for: players, waker) }
        }
    }

    private func wait(for players: [(Int, Player)], _ waker: PollWaker) {
        var waited = [pollfd(fd: waker.listening, events: Int16(POLLIN), revents: 0)]
        waited += players.map {
            pollfd(fd: $0.1.socket.descriptor, events: Int16(POLLIN), revents: 0)
        }
        guard poll(&waited, nfds_t(waited.count), -1) > 0 else { return }
        if waited[0].revents != 0 { waker.silence() }
        for (entry, (number, player)) in zip(waited.dropFirst(), players)
        where entry.revents != 0 {
            look(at: player, number)
        }
    }

    /// The watched players; nil ends the thread.
    private func next() -> [(Int, Player)]? {
        let players = guarded.withLock { guarded in
            guarded.isWatching = !guarded.players.isEmpty
            return guarded.players.map { ($0, $1) }
        }
        return players.isEmpty ? nil : players
    }

    private func look(at player: Player, _ number: Int) {
        let seen = PeekResult(of: player.socket.descriptor)
        guard seen != .nothing else { return }
        // Readable bytes are an early next request, which hides a later close, so the watch ends.
        let wasThere = guarded.withLock { $0.forget(number) }
        if wasThere, seen == .closed { player.onClosed() }
    }
}

/// What can be read from a connection now, determined without reading it.
private enum PeekResult {
    case nothing, bytes, closed

    init(of descriptor: Int32) {
        var byte: UInt8 = 0
        let count = recv(descriptor, &byte, 1, Int32(MSG_PEEK) | Int32(MSG_DONTWAIT))
        if count > 0 {
            self = .bytes
        } else if count == 0 {
            // Shutting down only the sending half looks the same, but no player does that.
            self = .closed
        } else {
            self = [EAGAIN, EWOULDBLOCK, EINTR].contains(errno) ? .nothing : .closed
        }
    }
}

/// Wakes a thread that waits in `poll`.
private final class PollWaker: Sendable {
    let listening: Int32
    private let ringing: Int32

    init?() {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { return nil }
        (listening, ringing) = (ends[0], ends[1])
        for end in ends {
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
        }
    }

    deinit {
        close(listening)
        close(ringing)
    }

    /// Wakes the thread; a full pipe wakes it anyway.
    func ring() {
        var byte: UInt8 = 1
        _ = write(ringing, &byte, 1)
    }

    /// Reads the pipe until it is empty.
    func silence() {
        var bytes = [UInt8](repeating: 0, count: 256)
        while read(listening, &bytes, bytes.count) == bytes.count {}
    }
}
