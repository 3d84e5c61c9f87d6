internal import ArgumentParser
internal import Dispatch
internal import PlaybackProxy
internal import ProgramStart
internal import Synchronization
internal import VideoCache

struct ProxyCommand: ProgramCommand {
    static let configuration = CommandConfiguration(
        commandName: "proxy",
        abstract: "Let players play through the cache, over HTTP on this machine.",
        discussion: """
            Prints the proxy's address on standard output as soon as it listens. A player opens \
            ADDRESS/play?url=URL, with the video's own URL percent-encoded; ADDRESS/status.json \
            tells what is cached. What is cached plays without the network. Ends on SIGINT or \
            SIGTERM, and saves what has come before.

            The address holds a key, which is kept in the cache's folder: without it the proxy \
            answers nothing, so that no web page can make it fetch what only this machine can reach.

            Examples:
              downloader proxy --cache cache --port 8000
              downloader proxy --cache cache --capacity 2GB --allow-host host
            """)

    @OptionGroup var filling: FillingOptions

    @Option(help: ArgumentHelp("The port on 127.0.0.1; 0 picks a free one.", valueName: "n"))
    var port: UInt16 = 0

    @Option(
        help: ArgumentHelp(
            "The most bytes to keep; the least recently used are dropped first.",
            valueName: "size"))
    var capacity = SizeArgument(bytes: 500 << 20)

    @Option(
        help: ArgumentHelp(
            "The most bytes to keep in memory as well, of what was read lately.", valueName: "size")
    )
    var memory = SizeArgument(bytes: 0)

    @Option(
        name: .customLong("allow-host"),
        help: ArgumentHelp(
            "A host that videos may come from, and no others then; may be repeated. Redirects are "
                + "not followed then, as they could lead anywhere.",
            valueName: "name"))
    var allowedHosts: [String] = []

    @OptionGroup var origin: OriginOptions
    @OptionGroup var speaking: SpeakingOptions

    func run(in program: DownloaderProgram) throws {
        // Its server's tasks would crash without.
        guard ProcFolder.isMounted else { throw ProcFolder.Missing(program: "the proxy") }
        DescriptorLimit.raise()
        let parts = program.parts
        // Created first, so that an early signal finds its handler.
        let interruption = try Interruption()
        let observer = try Watchers.wanted(verbose: speaking.verbose, parts: parts)
            .adding(DiskNotice())
        defer { observer.finish() }
        observer.entered(.recovering)
        let videos = try filling.open(
            capacity: capacity.bytes, memory: memory.bytes, with: parts, observer: observer)
        let policies = PlayPolicies()
        let result = Result {
            let loader = try loader(of: videos, with: parts, policies, observer: observer)
            try serve(videos, loader, policies, observer: observer, interruption)
        }
        try result.closing { try videos.close(observer: observer) }
        throw ExitCode(interruption.exitCode)
    }

    /// Serves players until a signal arrives; all received bytes are saved when this returns (T12).
    private func serve(
        _ videos: VideoCache, _ loader: VideoLoader, _ policies: PlayPolicies,
        observer: ObserverGroup, _ interruption: Interruption
    ) throws {
        defer { loader.close() }
        let proxy = PlaybackProxy(
            cache: videos, loader: loader,
            options: .init(
                port: port, allowedHosts: allowedHosts.isEmpty ? nil : Set(allowedHosts),
                key: ProxyKey(keptIn: filling.cache)),
            policies: policies)
        try Self.wait { try await proxy.start() }
        observer.entered(.idle)
        try StandardStreams.writeResult(proxy.address)
        if !speaking.quiet {
            StandardError.write(
                "\(proxy.address)/status.json tells what is cached; Ctrl-C ends the proxy\n")
        }
        interruption.wait()
        try Self.wait { await proxy.stop() }
    }

    private func loader(
        of videos: VideoCache, with parts: DownloaderParts, _ policies: PlayPolicies,
        observer: ObserverGroup
    ) throws -> VideoLoader {
        let policy = try filling.policy()
        // The target of an allowed host's redirect may not be allowed.
        let transport = try origin.transport(redirects: allowedHosts.isEmpty ? nil : 0)
        return VideoLoader(
            cache: videos,
            transport: parts.transport(transport, observer),
            options: .init(
                schedule: { parts.schedule(policies[$0] ?? policy) },
                retry: RetryPolicy(retries: filling.retries),
                readAhead: readAhead, revalidation: filling.revalidate),
            observer: observer)
    }

    /// A small part of the capacity, so that reading ahead never evicts what will be read next.
    private var readAhead: Int64 { min(VideoLoader.Options().readAhead, capacity.bytes / 8) }

    /// Runs asynchronous work while the main thread, which runs no tasks, waits for it.
    private static func wait(_ work: @escaping @Sendable () async throws -> Void) throws {
        let done = DispatchSemaphore(value: 0)
        let ended = FailureOfWork()
        Task {
            do { try await work() } catch { ended.failure.withLock { $0 = error } }
            done.signal()
        }
        done.wait()
        if let error = ended.failure.withLock(\.self) { throw error }
    }

    private final class FailureOfWork: Sendable {
        let failure = Mutex<(any Error)?>(nil)
    }
}
