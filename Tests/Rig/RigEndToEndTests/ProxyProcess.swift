import Fixture
import FixtureOrigin
import Foundation
import Testing
import TestSupport

/// A running `downloader proxy`, as a player sees it.
struct ProxyProcess: Sendable {
    let processID: pid_t
    /// The line that it printed: `http://127.0.0.1:PORT/KEY`.
    let address: String

    /// The proxy's address of a video.
    func address(of url: String) throws -> String {
        let safe = CharacterSet.alphanumerics.union(CharacterSet(charactersIn: "-._~"))
        return address + "/play?url="
            + (try #require(url.addingPercentEncoding(withAllowedCharacters: safe)))
    }

    /// The cache's state as the proxy reports it.
    struct Status: Decodable {
        struct Video: Decodable {
            struct Range: Decodable {
                let offset: Int64
                let length: Int64
            }

            let ranges: [Range]
        }

        let cached_bytes: Int64
        let videos: [Video]
    }

    /// Plays a video into the file `played`.
    func play(_ url: String, in place: Workplace) async throws {
        try await curl("-sf", "-o", "played", try address(of: url), in: place, exits: 0)
    }

    /// What is saved now, as the proxy reports it.
    func status() throws -> Status {
        let url = try #require(URL(string: address + "/status.json"))
        let reply = try SocketClient(port: UInt16(try #require(url.port)))
            .exchange("GET", url.path, [])
        return try JSONDecoder().decode(Status.self, from: Data(reply.body))
    }

    /// The port that the proxy listens on.
    var port: String { URL(string: address)?.port.map(String.init) ?? "" }

    func send(_ signal: Int32) { #expect(kill(processID, signal) == 0) }

    /// Kills the proxy, and waits for its end: until then its port may still be taken.
    func end() async throws {
        send(SIGKILL)
        try await eventually("the killed proxy is gone") { Self.hasEnded(processID) }
    }

    /// True if no thread of the child is left, whether or not it was reaped.
    private static func hasEnded(_ child: pid_t) -> Bool {
        var info = siginfo_t()
        let result = waitid(P_PID, id_t(child), &info, WEXITED | WNOHANG | WNOWAIT)
        return result == 0 ? info.si_signo == SIGCHLD : errno == ECHILD
    }

    /// Runs a proxy over the cache in the folder `cache` of `place`.
    ///
    /// The signal ends it when the body has returned; without one the body ends it.
    @discardableResult
    static func run(
        in place: Workplace, _ arguments: [String] = [], environment: [String: String] = [:],
        endingWith signal: Int32? = SIGTERM, _ body: @Sendable (ProxyProcess) async throws -> Void
    ) async throws -> Programs.Outcome {
        // Its output goes to a separate folder, so that each launch has its own address.
        let folder = place.url.appendingPathComponent("proxy-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        return try await Programs.run(
            Programs.downloader, ["proxy", "--cache", place.path("cache"), "--quiet"] + arguments,
            in: folder, environment: environment
        ) { processID in
            do {
                let address = try await printedLine(of: processID, in: folder)
                let proxy = ProxyProcess(processID: processID, address: address)
                try await body(proxy)
                if let signal { proxy.send(signal) }
            } catch {
                kill(processID, SIGKILL)
                throw error
            }
        }
    }

    private static func printedLine(of child: pid_t, in folder: URL) async throws -> String {
        var text = ""
        try await eventually("the proxy prints its address") {
            let isOver = hasEnded(child)
            text = try printed("stdout-", in: folder)
            guard !text.hasSuffix("\n") else { return true }
            guard !isOver else {
                throw NeverHappened(what: "a proxy: \(try printed("stderr-", in: folder))")
            }
            return false
        }
        return String(text.dropLast())
    }

    private static func printed(_ prefix: String, in folder: URL) throws -> String {
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        guard let name = names.first(where: { $0.hasPrefix(prefix) }) else { return "" }
        return try String(contentsOf: folder.appendingPathComponent(name), encoding: .utf8)
    }
}

/// A fixture origin in the test's own process, so that a test can read its ledger.
func withOrigin<Value>(
    _ origin: FixtureOrigin = FixtureOrigin(), _ body: (FixtureOrigin) async throws -> Value
) async throws -> Value {
    try await origin.start()
    return try await ending {
        try await body(origin)
    } with: {
        await origin.stop()
    }
}

/// A fixture video of such an origin, by its bytes and its address.
func withVideo(
    seed: UInt64, length: Int64 = 3 << 20,
    _ body: (_ whole: Data, _ url: String) async throws -> Void
) async throws {
    let video = try FixtureVideo(seed: seed, length: length)
    try await withOrigin { origin in
        let url = origin.mount(Resource(source: video), at: "/v.mp4").url
        try await body(Data(try video.bytes(in: 0..<length)), url)
    }
}

/// The path of an installed program; nil if it is not installed.
func installed(_ name: String) -> String? {
    (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
        .map { "\($0)/\(name)" }
        .first { FileManager.default.isExecutableFile(atPath: $0) }
}
