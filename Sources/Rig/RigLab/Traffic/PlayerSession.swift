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

    /// Starts the session.
    ///
    /// - Parameters:
    ///   - log: the file with the proxy's standard output.
    ///   - start: the offset at which the output of this launch begins in the log.
    ///   - space: the videos.
    ///   - shutdownFlag: ends the session, also while it still waits for the proxy.
    ///   - play: what the player does; its result is the session's.
    init(
        log: String, from start: UInt64, space: PositionSpace, shutdownFlag: ShutdownFlag,
        play: @escaping @Sendable (Player) -> Delivery
    ) {
        self.shutdownFlag = shutdownFlag
        let queue = DispatchQueue(label: "rig.player", qos: .userInitiated)
        queue.async(group: group) {
            let port = Self.port(in: log, from: start, unless: shutdownFlag)
            if let port {
                let delivery = play(Player(port: port, space: space, shutdownFlag: shutdownFlag))
                self.result.withLock { $0 = delivery }
            }
            // Without a port nothing was played, so nothing is over.
            self.ended.store(port != nil, ordering: .sequentiallyConsistent)
        }
    }

    /// True once the player has made its last move.
    var isOver: Bool { ended.load(ordering: .sequentiallyConsistent) }

    /// Ends the session of a proxy that has gone, and waits for its result.
    func leave() -> Delivery {
        shutdownFlag.raise()
        group.wait()
        return result.withLock { $0 }
    }

    /// The current size of a log: the offset at which the next launch's output begins.
    static func size(of log: String) -> UInt64 {
        let facts = try? FileManager.default.attributesOfItem(atPath: log)
        return (facts?[.size] as? NSNumber)?.uint64Value ?? 0
    }

    /// The port in the first complete line that names an address of this machine.
    private static func port(
        in log: String, from start: UInt64, unless shutdownFlag: ShutdownFlag
    ) -> UInt16? {
        while !shutdownFlag.isRaised {
            if let port = port(in: log, from: start) { return port }
            Pause.seconds(0.000_5)
        }
        return nil
    }

    static func port(in log: String, from start: UInt64) -> UInt16? {
        guard let handle = FileHandle(forReadingAtPath: log) else { return nil }
        defer { try? handle.close() }
        guard (try? handle.seek(toOffset: start)) != nil,
            let text = try? handle.read(upToCount: 64 << 10)
        else { return nil }
        let prefix = "http://127.0.0.1:"
        // The last piece has no line end yet: its number may be incomplete.
        let lines = String(decoding: text, as: UTF8.self).split(
            separator: "\n", omittingEmptySubsequences: false
        ).dropLast()
        return lines.lazy.filter { $0.hasPrefix(prefix) }
            .compactMap { UInt16($0.dropFirst(prefix.count)) }.first
    }
}
