internal import CacheWitness
internal import CurlTransport
internal import Dispatch
internal import Foundation
internal import PlaybackProxy
internal import VideoCache

/// What an app does with the cache: fetches, reads while it fetches, shows what is cached, and lets
/// players play.
@main struct Videos {
    static let usage = """
        videos fetch URL FOLDER [FILE]  fetch what is missing, then write the video to FILE
        videos read URL FOLDER          write the video to standard output while it is fetched
        videos ranges URL FOLDER        show what is cached
        videos play FOLDER              let players play, until SIGTERM; prints the address

        """

    /// Tells `rig kill-test` what the cache does, if that has started the app.
    static let witness = witnessIfWanted()
    static let observer: any CacheObserver = witness ?? SilentObserver()

    /// How many bytes a kill may cost per request: `VIDEOS_THRESHOLD`, such as `256KB`.
    static let policy: SavePolicy = {
        let text = ProcessInfo.processInfo.environment["VIDEOS_THRESHOLD"] ?? ""
        if text == "disabled" { return .disabled }
        let unit = text.hasSuffix("MB") ? 1 << 20 : 1 << 10
        return Int(text.dropLast(2)).flatMap { try? SavePolicy(threshold: $0 * unit) } ?? .default
    }()

    static func witnessIfWanted() -> WitnessObserver? {
        do { return try WitnessObserver.wanted() } catch {
            say("videos: \(error)\n")
            exit(70)
        }
    }

    static func main() async {
        let words = Array(CommandLine.arguments.dropFirst())
        let url = words.count > 2 ? URL(string: words[1]) : nil
        do {
            switch (words.first, words.count, url) {
            case ("fetch", 3...4, let url?):
                try await fetch(url, into: words[2], file: words.count > 3 ? words[3] : nil)
            case ("read", 3, let url?): try await read(url, from: words[2])
            case ("ranges", 3, let url?): try showRanges(of: url, in: words[2])
            case ("play", 2, _): try await play(from: words[1])
            default:
                say(usage)
                exit(64)
            }
        } catch {
            say("videos: \(error)\n")
            exit(1)
        }
    }

    /// Fetches a video; goes on where an earlier run, even a killed one, had stopped.
    static func fetch(_ url: URL, into folder: String, file: String?) async throws {
        let cache = try VideoCache(folder: folder, observer: observer)
        for try await progress in cache.fetch(
            url, by: CurlTransport(), policy: policy, observer: observer)
        {
            let percent = progress.fraction.map { " (\(Int($0 * 100)) %)" } ?? ""
            say(
                "\(progress.cachedBytes) bytes\(percent), \(Int(progress.bytesPerSecond)) a second\n"
            )
        }
        if let file { try cache.export(url, to: URL(fileURLWithPath: file)) }
        try cache.close(observer: observer)
        witness?.finish()
    }

    /// Passes a video on from its first byte, while it is fetched and saved.
    static func read(_ url: URL, from folder: String) async throws {
        let cache = try VideoCache(folder: folder, observer: observer)
        let loader = VideoLoader(cache: cache, transport: CurlTransport(), observer: observer)
        for try await bytes in loader.bytes(of: url) {
            try FileHandle.standardOutput.write(contentsOf: Data(bytes))
        }
        loader.close()
        try cache.close(observer: observer)
    }

    static func showRanges(of url: URL, in folder: String) throws {
        let cache = try VideoCache(folder: folder, access: .readOnly)
        for range in try cache.cachedRanges(of: url).ranges { print("bytes \(range)") }
        try cache.close()
    }

    /// Serves players on 127.0.0.1, at an address that web pages cannot guess.
    static func play(from folder: String) async throws {
        let end = Signals([SIGTERM, SIGINT])
        let cache = try VideoCache(folder: folder, capacity: 500 << 20, observer: observer)
        let loader = VideoLoader(
            cache: cache, transport: CurlTransport(),
            options: .init(schedule: { _ in policy }), observer: observer)
        let proxy = PlaybackProxy(
            cache: cache, loader: loader, options: .init(key: ProxyKey(keptIn: folder)))
        try await proxy.start()
        observer.entered(.idle)
        try FileHandle.standardOutput.write(contentsOf: Data("\(proxy.address)\n".utf8))
        let signal = await end.first
        await proxy.stop()
        loader.close()
        try cache.close(observer: observer)
        witness?.finish()
        exit(128 + signal)
    }

    static func say(_ text: String) {
        try? FileHandle.standardError.write(contentsOf: Data(text.utf8))
    }
}

/// Waits for signals that would otherwise end the process.
final class Signals {
    private let stream: AsyncStream<Int32>
    private let sources: [any DispatchSourceSignal]

    init(_ signals: [Int32]) {
        let (stream, continuation) = AsyncStream.makeStream(of: Int32.self)
        self.stream = stream
        sources = signals.map { number in
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler { continuation.yield(number) }
            source.resume()
            return source
        }
    }

    var first: Int32 {
        get async { await stream.first { _ in true } ?? SIGTERM }
    }
}
