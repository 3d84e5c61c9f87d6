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
/// The player opens ``address(of:)``; closing its connection cancels its request (F3). Cached bytes
/// play without the origin, and missing ones end in a clear error (C9). The status page, `/`, shows
/// what is cached.
public final class PlaybackProxy: Sendable {
    /// What the proxy listens on, and which hosts it allows.
    public struct Options: Sendable, Hashable {
        /// The port; 0 picks a free one.
        public var port: UInt16
        /// The hosts that videos may come from, such as `media.example`; nil allows all.
        ///
        /// Names are compared as written, case-insensitively. To apply this to redirects of an
        /// allowed host too, the transport must not follow redirects.
        public var allowedHosts: Set<String>?

        /// Creates options; by default a free port and all hosts.
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

    // A request for a video waits for its origin as long as the transport does.
    private static let patienceSeconds = 24.0 * 60 * 60

    private let options: Options
    private let handler: PlayHandler
    private let listening = ListeningPort()
    private let state = Mutex(State.stopped)

    /// Creates a proxy that does not listen yet.
    ///
    /// - Parameters:
    ///   - cache: the cache that the status page shows.
    ///   - loader: provides the videos; its owner must close it, after ``stop()``.
    ///   - options: what to listen on, and which hosts to allow.
    public init(cache: VideoCache, loader: VideoLoader, options: Options = Options()) {
        self.options = options
        handler = PlayHandler(
            loader: loader, status: StatusSource(cache: cache),
            allowedHosts: options.allowedHosts.map { Set($0.map { $0.lowercased() }) },
            port: listening)
    }

    /// The port that the proxy listens on; 0 before the first start.
    public var port: UInt16 { listening.value }

    /// The proxy's own URL, such as `http://127.0.0.1:8080`.
    public var address: String { "http://127.0.0.1:\(port)" }

    /// The URL at which a player can open a video.
    ///
    /// - Parameter url: the video's URL at its origin, http or https.
    /// - Returns: the URL to open.
    public func address(of url: String) -> String { address + PlayAddress.pathAndQuery(of: url) }

    /// Starts listening on 127.0.0.1, and returns when players can connect.
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

    /// Stops listening, and closes every player's connection, even if a request is waiting (T12).
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

    /// Runs a server in a task of its own; returns when it listens, throws if it cannot.
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

/// The port that the server listens on; 0 until it listens.
final class ListeningPort: Sendable {
    private let port = Mutex<UInt16>(0)

    var value: UInt16 {
        get { port.withLock { $0 } }
        set { port.withLock { $0 = newValue } }
    }
}
