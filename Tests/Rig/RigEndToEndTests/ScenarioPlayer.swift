import Fixture
import Foundation
import Testing
import TestSupport

@testable import RigLab

/// A player that takes exactly as many bytes as it is told, and closes its connection.
struct ScenarioPlayer: Sendable {
    let proxy: ProxyAddress

    /// The answer that a player got.
    struct Answer: Sendable {
        var status = 0
        var headers: [String: String] = [:]
        var body = Data()
        /// True if the connection ended before the body that the head had promised.
        var isCut = false

        /// The reason in the body of an error.
        var text: String { String(decoding: body, as: UTF8.self) }
    }

    /// Requests a range, or everything that follows, takes this many bytes, or all, and disconnects.
    func take(
        _ url: String, from start: Int64 = 0, to end: Int64? = nil, count: Int64? = nil
    ) async throws -> Answer {
        try await offPool {
            let connection = try open(url, from: start, to: end)
            var answer = Answer()
            let head = try connection.readHead()
            (answer.status, answer.headers) = (head.status, head.headers)
            let promised = head.headers["content-length"].flatMap { Int($0) } ?? .max
            let wanted = min(promised, count.map(Int.init) ?? .max)
            do {
                while answer.body.count < wanted {
                    let piece = try connection.readBody(
                        atMost: min(256 << 10, wanted - answer.body.count))
                    if piece.isEmpty { break }
                    answer.body.append(contentsOf: piece)
                }
            } catch PlayerError.system("recv", errno: ECONNRESET) {
                answer.isCut = true
            }
            answer.isCut = answer.isCut || answer.body.count < wanted
            return answer
        }
    }

    /// Sends a request, and disconnects before anything has come.
    func leave(_ url: String, once isTime: @escaping @Sendable () throws -> Bool) async throws {
        let connection = try await offPool { Held(connection: try open(url, from: 0, to: nil)) }
        try await eventually("it is time to go", isTime)
        withExtendedLifetime(connection) {}
    }

    private func open(_ url: String, from start: Int64, to end: Int64?) throws -> PlayerConnection {
        let deadline = ContinuousClock.now + .seconds(60)
        let connection = try PlayerConnection(port: proxy.port) { ContinuousClock.now > deadline }
        let last = end.map { "\($0 - 1)" } ?? ""
        try connection.send(proxy.request(for: url, range: "\(start)-\(last)"))
        return connection
    }
}

extension ScenarioPlayer.Answer {
    /// Expects exactly these bytes of the video, from a position on.
    func expect(
        _ video: MemoryVideo, from start: Int64, count: Int64,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        #expect(Int64(body.count) == count, sourceLocation: sourceLocation)
        try expectPrefix(of: video, from: start, sourceLocation: sourceLocation)
    }

    /// Expects the video's bytes from a position on, however many there are.
    func expectPrefix(
        of video: MemoryVideo, from start: Int64 = 0,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        #expect(status == 206, "\(text.prefix(200))", sourceLocation: sourceLocation)
        let end = min(start + Int64(body.count), video.length)
        let isRight = body == Data(try video.bytes(in: start..<end))
        #expect(
            isRight, "bytes from \(start) on are not the video's", sourceLocation: sourceLocation)
        let whole = headers["content-range"]?.split(separator: "/").last
        #expect(whole == "\(video.length)", sourceLocation: sourceLocation)
    }
}

/// A connection that stays open while this object lives, and is never read.
private final class Held: Sendable {
    // Safe: it is not accessed between its opening and its close.
    private nonisolated(unsafe) let connection: PlayerConnection

    init(connection: PlayerConnection) { self.connection = connection }
}
