internal import Dispatch
internal import Foundation
internal import RigModel
internal import Synchronization

/// A player that runs on its own thread, from the moment the proxy prints its address.
final class PlayerSession: Sendable {
    private let shutdownFlag: Interruption
    private let group = DispatchGroup()
    private let result = Mutex(Delivery())
    private let ended = Atomic(false)

    /// Starts the session; the shutdown flag ends it, also while it still waits for the proxy.
    init(
        log: String, from start: UInt64, space: PositionSpace, thresholds: [ByteSize]? = nil,
        shutdownFlag: Interruption, play: @escaping @Sendable (Player) -> Delivery
    ) {
        self.shutdownFlag = shutdownFlag
        let queue = DispatchQueue(label: "rig.player", qos: .userInitiated)
        queue.async(group: group) {
            var proxy: ProxyAddress?
            while proxy == nil, !shutdownFlag.isRaised {
                proxy = Self.address(in: log, from: start)
                if proxy == nil { Pause.seconds(0.000_5) }
            }
            if let proxy {
                let delivery = play(
                    Player(
                        proxy: proxy, space: space, shutdownFlag: shutdownFlag,
                        thresholds: thresholds))
                self.result.withLock { $0 = delivery }
            }
            // Without an address nothing was played, so nothing is over.
            self.ended.store(proxy != nil, ordering: .sequentiallyConsistent)
        }
    }

    var isOver: Bool { ended.load(ordering: .sequentiallyConsistent) }

    func leave() -> Delivery {
        shutdownFlag.raise()
        group.wait()
        return result.withLock { $0 }
    }

    /// The current size of a log: the offset at which the next launch's output begins.
    static func size(of log: String) -> UInt64 { UInt64(log.fileSize ?? 0) }

    static func address(in log: String, from start: UInt64) -> ProxyAddress? {
        guard let handle = FileHandle(forReadingAtPath: log) else { return nil }
        defer { try? handle.close() }
        guard (try? handle.seek(toOffset: start)) != nil,
            let text = try? handle.read(upToCount: 64 << 10)
        else { return nil }
        // The last piece has no line end yet: it may be incomplete.
        let lines = String(decoding: text, as: UTF8.self).split(
            separator: "\n", omittingEmptySubsequences: false
        ).dropLast()
        return lines.lazy.compactMap { ProxyAddress(line: $0) }.first
    }
}

struct ProxyAddress: Sendable, Hashable {
    let port: UInt16
    /// The path before `/play`, for example one that web pages cannot guess; often empty.
    let path: String

    /// Parses `http://127.0.0.1:PORT`, with or without a path; nil for anything else.
    init?(line: some StringProtocol) {
        let prefix = "http://127.0.0.1:"
        guard line.hasPrefix(prefix), line.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            return nil
        }
        let parts = line.dropFirst(prefix.count).split(
            separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard let port = UInt16(parts[0]) else { return nil }
        self.port = port
        let path = parts.dropFirst().map { "/\($0)" }.joined()
        self.path = path.hasSuffix("/") ? String(path.dropLast()) : path
    }

    func request(for url: String, threshold: ByteSize? = nil, range: String) -> String {
        let wish = threshold.map { "threshold=\($0.name)&" } ?? ""
        return "GET \(path)/play?\(wish)url=\(Self.encoded(url)) HTTP/1.1\r\n"
            + "Host: 127.0.0.1:\(port)\r\nUser-Agent: rig\r\nConnection: close\r\n"
            + "Range: bytes=\(range)\r\n\r\n"
    }

    /// Percent-encodes all but the unreserved characters (RFC 3986, 2.3).
    static func encoded(_ url: String) -> String {
        let unreserved = CharacterSet.alphanumerics.union(CharacterSet(charactersIn: "-._~"))
        return url.addingPercentEncoding(withAllowedCharacters: unreserved) ?? url
    }
}
