internal import FlyingSocks
internal import Foundation
internal import Synchronization

/// A client's connection: an answer is written to it.
package final class ClientConnection: Sendable {
    /// The client has closed its connection, or ``shutDown()`` has.
    package struct Gone: Error {}

    #if canImport(Darwin)
        // The server has already disabled the signal for this socket.
        private static let flags = MSG_DONTWAIT
        private static let more: Int32 = 0
    #else
        private static let flags = Int32(MSG_DONTWAIT) | Int32(MSG_NOSIGNAL)
        private static let more = Int32(MSG_MORE)
    #endif
    private enum Activity {
        case idle(since: ContinuousClock.Instant)
        case answering
        /// It was ended while it waited.
        case ended
    }

    /// How long a client that has been refused may go on sending.
    private static let lingering = Duration.seconds(1)

    /// The client's port; 0 if it had left before its connection was accepted.
    package let clientPort: UInt16

    /// The connection's encryption; nil for one that is not encrypted.
    package let channel: (any SecureChannel)?

    /// The way to the client; nil for one that all bytes go at once.
    package let link: (any Link)?

    package let clock: WallClock

    let socket: AsyncSocket
    private let pool: any AsyncSocketPool
    private let isOpen = Mutex(true)
    private let activity = Mutex(Activity.idle(since: .now))
    private let waiting = Atomic(false)
    /// True if an encrypted connection has said that nothing more comes.
    private let isLast = Atomic(false)

    init(
        _ socket: AsyncSocket, pool: some AsyncSocketPool, channel: (any SecureChannel)? = nil,
        link: (any Link)? = nil, clock: WallClock = .system
    ) {
        (self.clock, self.socket, self.pool, self.channel) = (clock, socket, pool, channel)
        self.link = link
        clientPort =
            if case .ip4(_, let port)? = try? socket.socket.remotePeer() { port } else { 0 }
    }

    /// True while ``write(_:)`` waits for the client to read.
    package var isWaiting: Bool { waiting.load(ordering: .acquiring) }

    /// Writes bytes, as fast as the client reads; no thread waits meanwhile.
    package func write(_ bytes: ArraySlice<UInt8>) async throws {
        guard let channel else { return try await sendAll(bytes) }
        try await sendAll(channel.encrypt(bytes)[...])
    }

    /// Waits for at least one byte of what the client says, and takes at most so many off the
    /// socket; they may say more, if bytes before them could not be decrypted yet.
    func read(atMost most: Int) async throws -> [UInt8] {
        guard let channel else { return try await receive(atMost: most) }
        while !isLast.load(ordering: .relaxed) {
            let received = channel.receive(try await receive(atMost: most))
            if !received.reply.isEmpty { try await sendAll(received.reply[...]) }
            isLast.store(received.isLast, ordering: .relaxed)
            if !received.plaintext.isEmpty { return received.plaintext }
        }
        throw Gone()
    }

    /// Waits for bytes as they are.
    private func receive(atMost most: Int) async throws -> [UInt8] {
        let bytes = try await socket.read(atMost: most)
        link?.pause()
        return bytes
    }

    /// Sends bytes as they are, by the link if there is one.
    private func sendAll(_ bytes: ArraySlice<UInt8>) async throws {
        guard let link else { return try await sendAtOnce(bytes) }
        try await link.send(bytes, on: self)
    }

    /// Sends bytes as they are, past the link, as fast as the client reads.
    package func sendAtOnce(_ bytes: ArraySlice<UInt8>) async throws {
        var rest = bytes
        while true {
            rest = rest.dropFirst(try rest.withUnsafeBytes { try put($0) })
            if rest.isEmpty { return }
            waiting.store(true, ordering: .releasing)
            defer { waiting.store(false, ordering: .releasing) }
            try await pool.suspendSocket(socket.socket, untilReadyFor: .write)
        }
    }

    /// Writes a chunk of a body (RFC 9112, 7.1); an empty one is the last.
    package func writeChunk(_ bytes: ArraySlice<UInt8>) async throws {
        let size = bytes.isEmpty ? "0" : String(format: "%02X", bytes.count)
        let end = Array("\r\n".utf8)
        try await write((Array(size.utf8) + end + bytes + end)[...])
    }

    /// Writes bytes as they are, so not if encrypted or by a link, and returns how many the client
    /// accepts; the thread waits for so many milliseconds each time that the socket is full, and
    /// what comes right after may share a packet.
    package func put(
        _ bytes: UnsafeRawBufferPointer, patience: Int32 = 0, isMoreComing: Bool = false
    ) throws(Gone) -> Int {
        var sent = 0
        let flags = isMoreComing ? Self.flags | Self.more : Self.flags
        while sent < bytes.count {
            let rest = UnsafeRawBufferPointer(rebasing: bytes[sent...])
            let count = send(descriptor, rest.baseAddress, rest.count, flags)
            if count >= 0 {
                sent += count
            } else if errno == EAGAIN || errno == EWOULDBLOCK {
                var full = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                guard poll(&full, 1, patience) > 0 else { return sent }
            } else if errno != EINTR {
                throw Gone()
            }
        }
        return sent
    }

    /// Does work that is cancelled if the client closes its connection meanwhile, which a failing
    /// write would reveal late, or never while there is nothing to write.
    package func untilClosed(_ work: @escaping @Sendable () async throws -> Void) async throws {
        try await withThrowingTaskGroup(of: Bool.self) { group in
            group.addTask {
                try await work()
                return true
            }
            group.addTask { await self.isClosedByClient() }
            // Either the work is done, or the client has gone: the other task has to end, too.
            while let isOver = try await group.next() {
                if isOver { group.cancelAll() }
            }
        }
    }

    /// True once the client has closed its connection, unless it has sent something else before.
    package var isLeft: Bool {
        isOpen.withLock { isOpen in
            isOpen ? hasClosed ?? false : true
        }
    }

    /// True if the client has closed its connection, false if it has sent something; nil for neither.
    ///
    /// Ending only the sending direction looks the same as a close, but no client that waits for an
    /// answer does that.
    private var hasClosed: Bool? {
        var byte: UInt8 = 0
        let count = recv(descriptor, &byte, 1, Int32(MSG_PEEK) | Int32(MSG_DONTWAIT))
        if count < 0, [EAGAIN, EWOULDBLOCK, EINTR].contains(errno) { return nil }
        return count <= 0
    }

    /// Ends both directions: what has been written still arrives, and then the end of the stream.
    package func shutDown() {
        isOpen.withLock { isOpen in
            // The descriptor of a closed socket may be another connection's.
            if isOpen { _ = shutdown(descriptor, Int32(SHUT_RDWR)) }
        }
    }

    /// Since when it has been waiting for a request; nil if it is not.
    var idleSince: ContinuousClock.Instant? {
        activity.withLock { if case .idle(let since) = $0 { since } else { nil } }
    }

    /// True once it was ended to make room for another one.
    var hasEnded: Bool { activity.withLock { if case .ended = $0 { true } else { false } } }

    /// Ends the connection if it still waits for a request; false if it does not.
    func endIfIdle() -> Bool {
        let isIdle = activity.withLock { activity in
            guard case .idle = activity else { return false }
            activity = .ended
            return true
        }
        if isIdle { shutDown() }
        return isIdle
    }

    /// Notes that a request has come, which from now on keeps the connection.
    private func beginAnswer() throws(Gone) {
        try activity.withLock { activity throws(Gone) in
            if case .ended = activity { throw Gone() }
            activity = .answering
        }
    }

    /// Answers the requests until one ends the connection, and closes it.
    func serve(_ answer: LoopbackServer.Answer, _ refuse: LoopbackServer.Refuse) async {
        try? await answerRequests(answer, refuse)
        await link?.end(self)
        // The pool resumes a wait first, and forgets the socket then. A descriptor that is closed in
        // between stays in its list, and the next connection with that number would wait for ever.
        if let pool = pool as? any Actor { await Self.visit(pool) }
        isOpen.withLock { isOpen in
            isOpen = false
            try? socket.close()
        }
    }

    /// The socket, open until the answers and the link have ended.
    package var descriptor: Int32 { socket.socket.file.rawValue }

    private func answerRequests(
        _ answer: LoopbackServer.Answer, _ refuse: LoopbackServer.Refuse
    ) async throws {
        var reader = RequestReader(self)
        var staysOpen = true
        var isRead = true
        while staysOpen {
            do {
                var request = try await reader.head()
                isRead = try await reader.skipBody(of: request)
                request.isLast = !isRead
                // Not before: a body that never comes would keep its connection from all others.
                try beginAnswer()
                staysOpen = request.staysOpen
                try await answer(request, self)
                activity.withLock { $0 = .idle(since: .now) }
            } catch var malformed as MalformedRequest {
                malformed.isHead = reader.isHead
                (staysOpen, isRead) = (false, false)
                try await refuse(malformed, self)
            }
        }
        if let channel { try await sendAll(channel.end()[...]) }
        if !isRead { await linger() }
    }

    /// Takes what the client still sends, for a while: bytes that arrive at a closed socket reset
    /// it, and with it the unread answer (RFC 9112, 9.6).
    private func linger() async {
        _ = shutdown(descriptor, Int32(SHUT_WR))
        await withTaskGroup(of: Void.self) { group in
            group.addTask {
                var left = RequestReader.mostBodyBytes
                while left > 0, let more = try? await self.socket.read(atMost: 64 << 10) {
                    left -= more.count
                }
            }
            group.addTask { try? await Task.sleep(for: Self.lingering) }
            await group.next()
            group.cancelAll()
        }
    }

    /// Waits until the client closes its connection; false if an early next request comes before.
    private func isClosedByClient() async -> Bool {
        do {
            while true {
                if let hasClosed { return hasClosed }
                try await pool.suspendSocket(socket.socket, untilReadyFor: .read)
            }
        } catch {
            return error is SocketError
        }
    }

    /// Returns once an actor has finished what it was doing.
    private static func visit(_ actor: isolated any Actor) {}
}
