internal import FlyingSocks
internal import Foundation
internal import Synchronization

/// A small HTTP/1.1 server on 127.0.0.1, which hands the head of each request, in turn on each
/// connection, to a function that writes the whole answer; bodies of requests are dropped, or end
/// their connection.
package final class LoopbackServer: Sendable {
    /// Writes an answer to a request; if it throws, the connection is closed.
    package typealias Answer =
        @Sendable (_ request: RequestHead, _ connection: ClientConnection) async throws -> Void

    /// Answers what is no request; the connection is closed after it.
    package typealias Refuse =
        @Sendable (_ malformed: MalformedRequest, _ connection: ClientConnection) async throws ->
        Void

    package typealias Secure = @Sendable () -> any SecureChannel

    package typealias MakeLink = @Sendable () -> any Link

    private enum State: Sendable {
        case stopped
        case starting
        case running(Task<Void, Never>)
    }

    private struct Guarded: Sendable {
        var state = State.stopped
        var port: UInt16 = 0
    }

    /// How many connections that wait are looked at in one go.
    private static let mostEvents = 256

    private let guarded = Mutex(Guarded())

    private let clock: WallClock
    private let mostConnections: Int?
    private let descriptorsEach: Int

    /// Creates a server that does not listen yet; by default it has as many connections at once as
    /// the limit of the process allows, of so many descriptors each.
    package init(
        clock: WallClock = .system, mostConnections: Int? = nil, descriptorsEach: Int = 3
    ) {
        (self.clock, self.mostConnections) = (clock, mostConnections)
        self.descriptorsEach = descriptorsEach
    }

    /// The port of the latest start; 0 before the first.
    package var port: UInt16 { guarded.withLock { $0.port } }

    /// Starts listening on a port, 0 for a free one; without `secure` nothing is encrypted, without
    /// `link` bytes go at once, without `refuse` what is no request is answered by the reason as
    /// text.
    package func start(
        on port: UInt16, secure: Secure? = nil, link: MakeLink? = nil,
        refuse: @escaping Refuse = LoopbackServer.refuse, answer: @escaping Answer
    ) async throws(ListenError) {
        let isFirst = guarded.withLock { guarded in
            guard case .stopped = guarded.state else { return false }
            guarded.state = .starting
            return true
        }
        guard isFirst else { throw .alreadyStarted }
        do {
            let (socket, bound) = try Self.listen(on: port)
            let pool = SocketPool<Poll>.make(maxEvents: Self.mostEvents)
            do { try await pool.prepare() } catch {
                try? socket.close()
                throw error
            }
            let listening = try AsyncSocket(socket: socket, pool: pool)
            let connections = OpenConnections(
                most: mostConnections ?? OpenConnections.allowed(each: descriptorsEach))
            let task = Task { [clock] in
                await Self.serve(listening, pool, within: connections) { client in
                    ClientConnection(
                        client, pool: pool, channel: secure?(), link: link?(), clock: clock)
                } answer: { connection in
                    await connection.serve(answer, refuse)
                }
            }
            guarded.withLock { $0 = Guarded(state: .running(task), port: bound) }
        } catch {
            guarded.withLock { $0.state = .stopped }
            throw ListenError(error)
        }
    }

    /// Stops listening, cancels every answer, and closes every connection.
    package func stop() async {
        let task: Task<Void, Never>? = guarded.withLock { guarded in
            guard case .running(let task) = guarded.state else { return nil }
            guarded.state = .stopped
            return task
        }
        task?.cancel()
        await task?.value
    }

    package static let refuse: Refuse = { malformed, connection in
        let (head, body) = malformed.answer(by: connection.clock)
        try await connection.write((head + body)[...])
    }

    /// Accepts clients, and serves each, until the task is cancelled.
    private static func serve(
        _ listening: AsyncSocket, _ pool: some AsyncSocketPool, within connections: OpenConnections,
        connection: @escaping @Sendable (AsyncSocket) -> ClientConnection,
        answer: @escaping @Sendable (ClientConnection) async -> Void
    ) async {
        try? await withThrowingDiscardingTaskGroup(returning: Void.self) { group in
            // At once when the task is cancelled, before the answers have ended.
            defer { try? listening.close() }
            group.addTask { try await pool.run() }
            while true {
                do {
                    let client = connection(try await listening.accept())
                    try await connections.add(client)
                    group.addTask {
                        await answer(client)
                        connections.remove(client)
                    }
                } catch SocketError.failed {
                    // Too many open files, for example: a later attempt may succeed.
                    try await Task.sleep(for: .milliseconds(10))
                }
            }
        }
    }

    private static func listen(on port: UInt16) throws -> (Socket, port: UInt16) {
        let socket = try Socket(domain: AF_INET)
        let bound: UInt16
        do {
            bound = try bind(socket, to: port)
        } catch {
            try? socket.close()
            throw error
        }
        // If this fails, it closes the socket.
        try socket.listen()
        return (socket, bound)
    }

    private static func bind(_ socket: Socket, to port: UInt16) throws -> UInt16 {
        try socket.setValue(true, for: .localAddressReuse)
        // Clients' sockets inherit this. Head and body are written separately: with Nagle's
        // algorithm (RFC 896), a body's end would wait up to 40 ms for the acknowledgement that a
        // client delays.
        try socket.setValue(
            true, for: BoolSocketOption(level: Int32(IPPROTO_TCP), name: TCP_NODELAY))
        #if canImport(Darwin)
            try socket.setValue(true, for: .noSIGPIPE)
        #endif
        try socket.bind(to: .inet(ip4: "127.0.0.1", port: port))
        guard case .ip4(_, let bound) = try socket.sockname() else {
            throw SocketError.unsupportedAddress
        }
        return bound
    }
}
