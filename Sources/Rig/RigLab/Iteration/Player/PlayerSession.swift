internal import Dispatch
internal import Foundation
internal import RigModel
internal import Synchronization

/// A player that runs on its own thread, from the moment the proxy prints its address.
final class PlayerSession: Sendable {
    private let shutdownFlag: ShutdownFlag
    private let group = DispatchGroup()
    private let result = Mutex(Delivery())
    private let ended = Atomic(false)

    /// Starts the session; the shutdown flag ends it, also while it still waits for the proxy.
    init(
        log: String, from start: UInt64, space: PositionSpace, thresholds: [ByteSize]? = nil,
        shutdownFlag: ShutdownFlag, play: @escaping @Sendable (Player) -> Delivery
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
