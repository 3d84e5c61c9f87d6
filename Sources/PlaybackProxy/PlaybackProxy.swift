internal import FlyingFox
internal import FlyingSocks
internal import Synchronization
public import VideoCache

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// An HTTP/1.1 server on the loopback interface, through which a player plays from the cache.
///
/// The player opens ``address(of:)``; a player that closes its connection is a cancel (F3). What
/// is cached plays without the origin, and what is not ends in a clear error (C9). The server's
/// own page, `/`, shows what is cached.
public final class PlaybackProxy: Sendable {
    /// What the proxy listens on, and whom it serves.
    public struct Options: Sendable, Hashable {
        /// The port; 0 picks a free one.
        public var port: UInt16
        /// The hosts that videos may come from, such as `media.example`; nil allows all.
        ///
        /// Names are compared as they are written, without regard to case. The transport must not
        /// follow redirects where this is to hold for what an allowed host redirects to.
        public var allowedHosts: Set<String>?

        /// Options as given: a free port and all hosts unless told otherwise.
        public init(port: UInt16 = 0, allowedHosts: Set<String>? = nil) {
            self.port = port
            self.allowedHosts = allowedHosts
        }
    }

    private enum State: Sendable {
        case stopped
        case starting
        case running(HTTPServer, Task<Void, Never>)
    }

    // A request for a video waits for its origin for as long as the transport does.
    private static let patienceSeconds = 24.0 * 60 * 60

    private let options: Options
    private let handler: PlayHandler
    private let listening = ListeningPort()
    private let state = Mutex(State.stopped)

    /// A proxy that does not listen yet.
    ///
    /// - Parameters:
    ///   - cache: what the status page tells about.
    ///   - loader: brings the videos; stays its owner's to close, after ``stop()``.
    ///   - options: what to listen on, and whom to serve.
    public init(cache: VideoCache, loader: VideoLoader, options: Options = Options()) {
        self.options = options
        handler = PlayHandler(
            loader: loader, status: StatusSource(cache: cache),
            allowedHosts: options.allowedHosts.map { Set($0.map { $0.lowercased() }) },
            port: listening)
    }

    /// The port that the proxy listens on; 0 before its first start.
    public var port: UInt16 { listening.value }

    /// Where the proxy is found, such as `http://127.0.0.1:8080`.
    public var address: String { "http://127.0.0.1:\(port)" }

    /// Where a player finds a video.
    ///
    /// - Parameter url: the video's address at its origin, http or https.
    /// - Returns: the address to open.
    public func address(of url: String) -> String { address + PlayAddress.pathAndQuery(of: url) }

    /// Starts listening on 127.0.0.1, and returns once players can connect.
    ///
    /// - Throws: ``ProxyError``, among them ``ProxyError/portTaken(_:)``.
    public func start() async throws(ProxyError) {
        let isFirst = state.withLock { state in
            guard case .stopped = state else { return false }
            state = .starting
            return true
        }
        guard isFirst else { throw .alreadyStarted(port: port) }
        let port = port == 0 ? options.port : port
        let server = HTTPServer(
            config: .init(
                address: Self.socketAddress(port: port), timeout: Self.patienceSeconds,
                pool: ProxySocketPool(base: HTTPServer.defaultPool(logger: .disabled)),
                logger: .disabled),
            handler: handler)
        do {
            let task = try await Self.run(server)
            if case .ip4(_, let bound)? = await server.listeningAddress { listening.value = bound }
            state.withLock { $0 = .running(server, task) }
        } catch {
            state.withLock { $0 = .stopped }
            throw Self.proxyError(error, port: port)
        }
    }

    /// Stops listening, and closes every player's connection, whatever it waits for (T12).
    ///
    /// Downloads that only these players wanted are cancelled, and their remainders saved. A later
    /// start listens on the same port.
    public func stop() async {
        let running: (HTTPServer, Task<Void, Never>)? = state.withLock { state in
            guard case .running(let server, let task) = state else { return nil }
            state = .stopped
            return (server, task)
        }
        guard let (server, task) = running else { return }
        await server.stop(timeout: 0)
        await task.value
    }

    /// Runs a server in a task of its own; returns once it listens, throws where it cannot.
    private static func run(_ server: HTTPServer) async throws -> Task<Void, Never> {
        let (events, continuation) = AsyncStream.makeStream(of: (any Error)?.self)
        let task = Task {
            do { try await server.run() } catch { continuation.yield(error) }
        }
        let listening = Task {
            do {
                try await server.waitUntilListening(timeout: 60)
                continuation.yield(nil)
            } catch {
                continuation.yield(error)
            }
        }
        defer { listening.cancel() }
        for await error in events {
            guard let error else { break }
            task.cancel()
            throw error
        }
        return task
    }

    private static func socketAddress(port: UInt16) -> sockaddr_in {
        var address = sockaddr_in.inet(port: port)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return address
    }

    private static func proxyError(_ error: any Error, port: UInt16) -> ProxyError {
        guard case .failed(_, let code, let message)? = error as? SocketError else {
            return .cannotListen(port: port, reason: "\(error)")
        }
        return switch code {
        case EADDRINUSE: .portTaken(port)
        case EACCES: .portForbidden(port)
        default: .cannotListen(port: port, reason: message)
        }
    }
}

/// The port that the server listens on, known once it does.
final class ListeningPort: Sendable {
    private let port = Mutex<UInt16>(0)

    var value: UInt16 {
        get { port.withLock { $0 } }
        set { port.withLock { $0 = newValue } }
    }
}
