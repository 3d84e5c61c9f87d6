import Foundation
import Testing

@testable import PlaybackProxy

/// Bytes written to a player's socket arrive, and a player that does not read occupies no thread.
@Suite struct PlayerSocketTests {
    private let bytes = (0..<8 << 20).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 12) }

    private func pair() throws -> (mine: Int32, socket: PlayerSocket) {
        var pair: [Int32] = [-1, -1]
        try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &pair) == 0)
        return (pair[0], PlayerSocket(descriptor: pair[1]))
    }

    private func read(_ count: Int, from descriptor: Int32) -> [UInt8] {
        var read = [UInt8](repeating: 0, count: count)
        let done = recv(descriptor, &read, count, Int32(MSG_WAITALL))
        return Array(read.prefix(max(0, done)))
    }

    @Test func aFullSocketTakesAPartAndTheRestLater() throws {
        let (mine, socket) = try pair()
        defer { close(mine) }
        // More than any socket buffers, and no reader.
        let taken = try bytes.withUnsafeBytes { try socket.put($0) }
        #expect(taken > 0 && taken < bytes.count)
        #expect(read(taken, from: mine) == Array(bytes[..<taken]))
        let rest = Array(bytes[taken..<taken + 1000])
        #expect(try rest.withUnsafeBytes { try socket.put($0) } == 1000)
        #expect(read(1000, from: mine) == rest)
    }

    @Test func aPlayerThatHasGoneIsAnErrorAndNoSignal() throws {
        let (mine, socket) = try pair()
        close(mine)
        #expect(throws: PlayerSocket.Gone.self) {
            try bytes.withUnsafeBytes { _ = try socket.put($0) }
        }
    }
}
