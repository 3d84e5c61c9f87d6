internal import Foundation
internal import Synchronization

/// The connections of a server, never more than the process can bear: with no descriptor left, the
/// libraries below end it by a signal.
///
/// An answer may cost one more: that of the origin, for a file.
final class OpenConnections: Sendable {
    /// What is left to the rest of the process.
    private static let reserve = 64
    /// However high the limit is: no player needs so many, and each costs memory.
    private static let mostEver = 4096
    /// How many may still be closing, with a descriptor of the reserve, for which none waits.
    private static let mostEnding = 16
    private static let pause = Duration.milliseconds(10)

    private let open = Mutex<[ObjectIdentifier: ClientConnection]>([:])
    private let most: Int

    /// - Parameter most: the most connections, at least 1.
    init(most: Int) { self.most = most }

    /// The most connections of so many descriptors each that the limit of the process allows.
    static func allowed(each: Int) -> Int {
        // Less than 0 without a limit.
        let descriptors = sysconf(Int32(_SC_OPEN_MAX))
        guard descriptors >= 0 else { return mostEver }
        return min(mostEver, max(1, (descriptors - reserve) / each))
    }

    /// Adds a connection, once there is room: the one that has waited longest for a request goes,
    /// and none whose answer is under way; one call at a time.
    func add(_ connection: ClientConnection) async throws {
        while true {
            let others = open.withLock { $0.count < most ? [] : Array($0.values) }
            let ending = others.count(where: \.hasEnded)
            guard others.count - ending >= most else {
                return open.withLock { $0[ObjectIdentifier(connection)] = connection }
            }
            if ending < Self.mostEnding {
                let waiting = others.compactMap { one in one.idleSince.map { (one, $0) } }
                if waiting.min(by: { $0.1 < $1.1 })?.0.endIfIdle() == true { continue }
                // All are answering, or a request has come meanwhile.
            }
            try await Task.sleep(for: Self.pause)
        }
    }

    func remove(_ connection: ClientConnection) {
        open.withLock { _ = $0.removeValue(forKey: ObjectIdentifier(connection)) }
    }
}
