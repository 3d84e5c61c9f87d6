package import LoopbackHTTP
public import VideoCache

/// An HTTP/1.1 server on the loopback interface, through which a player plays from the cache.
///
/// The player opens ``address(of:)``; closing its connection cancels its request (F3). Cached bytes
/// play without the origin, and missing ones end in a clear error (C9). `status.json`, below
/// ``address``, tells what is cached.
public final class PlaybackProxy: Sendable {
    /// What the proxy listens on, and whom and what it allows.
    public struct Options: Sendable, Hashable {
        /// The port; 0 picks a free one.
        public var port: UInt16
        /// The hosts that videos may come from, such as `media.example`; nil allows all.
        ///
        /// Names are compared as written, case-insensitively. To apply this to redirects of an
        /// allowed host too, the transport must not follow redirects.
        public var allowedHosts: Set<String>?
        /// The key without which a request is refused; part of the proxy's addresses.
        public var key: ProxyKey

        /// Creates options; by default a free port, all hosts and a new key.
        public init(
            port: UInt16 = 0, allowedHosts: Set<String>? = nil, key: ProxyKey = ProxyKey()
        ) {
            (self.port, self.allowedHosts, self.key) = (port, allowedHosts, key)
        }
    }

    /// The most descriptors of a player of what is not cached: its connection, the two that wake
    /// libcurl, the four connections to origins that libcurl keeps for each download at most
    /// (`CURLMOPT_MAXCONNECTS`), and the cache's file.
    static let descriptorsEach = 8

    private let options: Options
    private let handler: PlayHandler
    private let server: LoopbackServer

    /// Creates a proxy that does not listen yet.
    ///
    /// - Parameters:
    ///   - cache: the cache whose contents `status.json` tells.
    ///   - loader: provides the videos; its owner must close it, after ``stop()``.
    ///   - options: what to listen on, and which hosts to allow.
    ///   - policies: keeps the thresholds that players ask for, for the loader's schedule; nil
    ///     refuses those.
    public convenience init(
        cache: VideoCache, loader: VideoLoader, options: Options = Options(),
        policies: PlayPolicies? = nil
    ) {
        self.init(
            cache: cache, loader: loader, options: options, policies: policies, clock: .system)
    }

    package init(
        cache: VideoCache, loader: VideoLoader, options: Options, policies: PlayPolicies? = nil,
        clock: WallClock
    ) {
        server = LoopbackServer(clock: clock, descriptorsEach: Self.descriptorsEach)
        self.options = options
        handler = PlayHandler(
            loader: loader, cache: cache,
            gate: Gate(
                key: options.key,
                allowedHosts: options.allowedHosts.map { Set($0.map { $0.lowercased() }) }),
            policies: policies)
    }

    /// The port that the proxy listens on; 0 before the first start.
    public var port: UInt16 { server.port }

    /// The proxy's own URL: `http://127.0.0.1:PORT/KEY`.
    public var address: String { "http://127.0.0.1:\(port)/\(options.key.text)" }

    /// The URL at which a player can open a video.
    ///
    /// - Parameter url: the video's URL at its origin, http or https.
    /// - Returns: the URL to open.
    public func address(of url: String) -> String { address + PlayAddress.pathAndQuery(of: url) }

    /// Starts listening on 127.0.0.1, and returns when players can connect.
    ///
    /// - Throws: ``ProxyError``, among them ``ProxyError/portTaken(_:)``.
    public func start() async throws(ProxyError) {
        let port = port == 0 ? options.port : port
        do {
            let handler = handler
            try await server.start(
                on: port, refuse: { try await handler.refuse($0, on: $1) },
                answer: { try await handler.answer($0, on: $1) })
        } catch {
            throw ProxyError(error, port: port)
        }
    }

    /// Stops listening, and closes every player's connection, even if a request is waiting (T12).
    ///
    /// Downloads that only these players wanted are cancelled, and their remainders saved. A later
    /// start listens on the same port.
    public func stop() async { await server.stop() }
}
