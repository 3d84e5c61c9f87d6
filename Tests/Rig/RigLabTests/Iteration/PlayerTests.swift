import Dispatch
import Fixture
import FixtureOrigin
import Foundation
import OriginFaults
import RigModel
import Testing
import TestSupport

@testable import RigLab

/// A proxy that serves at the root of a port of this machine.
func proxy(at port: UInt16) throws -> ProxyAddress {
    try #require(ProxyAddress(line: "http://127.0.0.1:\(port)"))
}

/// The rig's player against an origin in place of the proxy.
///
/// It takes what it wants, and detects answers that no player may get.
struct PlayerTests {
    private static let length: Int64 = 1 << 20

    /// Serves at `/play` what a proxy would, whichever video is requested.
    private func play<Value: Sendable>(
        served: any VideoSource, faults: [OriginFault] = [],
        _ body: @escaping @Sendable (Player, Mount) -> Value
    ) async throws -> Value {
        let origin = FixtureOrigin(faults: faults)
        try await origin.start()
        let mount = origin.mount(Resource(source: served), at: "/play")
        let space = PositionSpace([
            ("http://127.0.0.1:9/a%b?c=d&e", try FixtureVideo(seed: 1, length: Self.length))
        ])
        let player = Player(
            proxy: try proxy(at: origin.port), space: space, shutdownFlag: Interruption())
        let value = await onOwnThread { body(player, mount) }
        await origin.stop()
        return value
    }

    private static func request(
        _ range: Range<Int64>, open: Bool = false, takes: Int64? = nil
    ) -> PlayerRequest {
        PlayerRequest(
            video: 0, range: range, isOpenEnded: open,
            takes: takes ?? range.upperBound - range.lowerBound)
    }

    private func video(_ seed: UInt64 = 1) throws -> FixtureVideo {
        try FixtureVideo(seed: seed, length: Self.length)
    }

    @Test func aWholePatternIsHandedOverByteForByte() async throws {
        let plan = PlayerPlan(.playback, seed: 3, videoLength: Self.length)
        let (delivery, requests) = try await play(served: try video()) { player, mount in
            let delivery = player.play(plan)
            return (delivery, mount.ledger.count)
        }
        #expect(delivery.faults.isEmpty)
        #expect(delivery.wrongBytes == 0)
        #expect(delivery.delivered.ranges == [0..<Self.length])
        #expect(delivery.requests == plan.moves.flatMap(\.self).count)
        // A request cancelled before its first byte may never have been read.
        #expect(requests <= delivery.requests && requests >= delivery.requests - 8)
    }

    @Test func aCancelTakesWhatItWantedAndNoMore() async throws {
        let delivery = try await play(served: try video()) { player, _ in
            player.take(Self.request(1_000..<Self.length, open: true, takes: 70_001))
        }
        #expect(delivery.delivered.ranges == [1_000..<71_001])
        #expect(delivery.faults.isEmpty)
    }

    /// The planted bug: bytes of another video, under the right head.
    @Test func wrongBytesAreCountedAndNamed() async throws {
        let delivery = try await play(served: try video(2)) { player, _ in
            player.take(Self.request(Self.length - 100_000..<Self.length))
        }
        #expect(delivery.wrongBytes > 50_000)
        #expect(delivery.delivered.isEmpty)
        #expect(
            delivery.firstDifference?.diagnosis
                == "stale bytes of version 1 of the fixture with seed 2")
    }

    @Test(arguments: [
        (OriginFault(.ignoreRange), "answered 200 instead of 206"),
        (OriginFault(.earlyRange), "Content-Range is"),
        (OriginFault(.wrongContentRange, .word("total")), "Content-Range is"),
        (OriginFault(.wrongContentRange, .word("missing")), "Content-Range is ''"),
        (OriginFault(.truncate, .bytes(5_000)), "the body ended after"),
        (OriginFault(.reset, .bytes(5_000)), "recv:"),
        (OriginFault(.status, .number(503)), "answered 503"),
    ])
    func anAnswerThatNoPlayerMayMeetIsAFault(fault: OriginFault, text: String) async throws {
        let delivery = try await play(served: try video(), faults: [fault]) { player, _ in
            player.take(Self.request(1_000..<200_000))
        }
        #expect(delivery.faults.count == 1)
        #expect(
            delivery.faults.first?.hasPrefix("bytes=1000-199999: \(text)") == true,
            "\(delivery.faults)")
        #expect(delivery.wrongBytes == 0)
    }

    @Test(arguments: [true, false])
    func whatBreaksIsAFaultUnlessTheShutdownFlagIsUp(isRaised: Bool) async throws {
        let delivery = try await play(served: try video()) { player, mount in
            mount.hold(afterDistinctBytes: 300_000)
            DispatchQueue.global().async {
                try? blockUntil("the origin holds") { mount.heldBodies > 0 }
                if isRaised { player.shutdownFlag.raise() }
                mount.cut()
            }
            return player.take(Self.request(0..<Self.length))
        }
        #expect(delivery.delivered.ranges == [0..<300_000])
        let fault = "bytes=0-1048575: the body ended after 300000 bytes"
        #expect(delivery.faults == (isRaised ? [] : [fault]))
        // Its position tells which of the worker's requests was still wanted.
        let open = [OpenRequest(taken: 0..<300_000, isAlone: true)]
        #expect(delivery.open == (isRaised ? open : nil))
    }

    @Test func aRequestThatHasTakenEnoughIsNotOpen() async throws {
        let delivery = try await play(served: try video()) { player, _ in
            let delivery = player.take(Self.request(0..<Self.length, open: true, takes: 1_000))
            player.shutdownFlag.raise()
            return delivery
        }
        #expect(delivery.open == nil)
    }

    @Test func aClosedPortIsAFault() async throws {
        let space = PositionSpace([("u", try video())])
        let player = Player(proxy: try proxy(at: 1), space: space, shutdownFlag: Interruption())
        let delivery = await onOwnThread { player.take(Self.request(0..<2)) }
        #expect(delivery.faults == ["bytes=0-1: connect: Connection refused"])
    }

    // MARK: What cannot be had

    @Test func anErrorWithAReasonIsARefusal() async throws {
        // The origin's text for a status is taken as the reason.
        let answer = try PlayerAnswer(head: "HTTP/1.1 502 Bad Gateway\r\nContent-Length: 5")
        #expect(answer.status == 502 && answer.headers["content-length"] == "5")
        let fault = try await play(served: try video()) { player, _ in
            player.refusal(of: Self.request(10..<11))
        }
        #expect(
            fault?.contains(
                "answered 206 with 1 bytes or more that neither the cache nor the origin has")
                == true)
    }

    @Test(arguments: ["", "SSH-2.0", "HTTP/1.1", "HTTP/1.1 abc OK"])
    func whatIsNoHeadIsRefused(head: String) {
        #expect(throws: PlayerError.malformed(head)) { try PlayerAnswer(head: head) }
    }

    // MARK: The proxy's address

    @Test(
        arguments: [
            ("http://127.0.0.1:8080\n", "8080"), ("noise\nhttp://127.0.0.1:1\nmore\n", "1"),
            ("http://127.0.0.1:80/\n", "80"), ("http://127.0.0.1:80/k3y/\n", "80/k3y"),
            // Incomplete, another machine's, or followed by other text.
            ("http://127.0.0.1:80", nil), ("http://10.0.0.1:80\n", nil), ("", nil),
            ("http://127.0.0.1:80/ shows\n", nil), ("http://127.0.0.1:99999\n", nil),
            ("http://127.0.0.1:80?a\n", nil),
        ] as [(String, String?)])
    func theAddressIsAWholeLine(log: String, address: String?) throws {
        let folder = try TemporaryFolder()
        let earlier = "http://127.0.0.1:7\n"
        try Data((earlier + log).utf8).write(to: URL(fileURLWithPath: folder.file("log")))
        let found = PlayerSession.address(in: folder.file("log"), from: UInt64(earlier.utf8.count))
        #expect(found.map { "\($0.port)\($0.path)" } == address)
    }
}
