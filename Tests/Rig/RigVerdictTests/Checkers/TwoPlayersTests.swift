import RigModel
import RigVerdict
import Testing

/// Two players, each with a video and a threshold of its own: what one may lose excuses nothing that
/// the other has lost (S5).
@Suite struct TwoPlayersTests {
    private static let first: Int64 = 256 << 10
    private static let second: Int64 = 1 << 20
    /// Where the second video begins.
    private static let middle = Scene.video / 2

    /// The first video has three saves of 256 KB, the second one of 1 MB; both were being played.
    private static func scene(lost: (first: Int64, second: Int64)) throws -> Scene {
        let policy = try #require(Policy("256KB+1MB"))
        let kept = [0..<3 * first, middle..<middle + second]
        return Scene.playback.with {
            $0.workload = .twoPlayers
            $0.policy = policy
            $0.commits = 4
            $0.witnessed = [
                .ended(0, got: 2),
                .running(0, got: 3 * first + lost.first, saved: 3 * first),
                .running(middle, got: second + lost.second, saved: second),
            ]
            $0.chunks = (0..<3).map { $0 * first..<($0 + 1) * first }.map(Self.chunk)
            $0.chunks.append(Self.chunk(kept[1]))
            $0.claimed = ByteRanges(kept)
            $0.refetched = [kept[0].upperBound..<middle, kept[1].upperBound..<Scene.video]
            $0.playedOffline?.delivered = ByteRanges(kept)
        }
    }

    private static func chunk(_ range: Range<Int64>) -> StoredChunk { StoredChunk.sound(range) }

    private static func row(_ judgement: Judgement) -> IterationRow {
        judgement.row(runID: "r", worker: "downloader", workload: "two-players")
    }

    @Test func eachMayLoseItsOwnThreshold() throws {
        let scene = try Self.scene(lost: (Self.first, Self.second))
        let judgement = scene.judged
        #expect(judgement.verdict == .pass, "\(judgement.reason)")
        #expect(judgement.figures.bound == Self.first + Self.second)
        #expect(judgement.figures.activeRequests == 2)
        let row = Self.row(judgement)
        #expect(row.policy == "256KB+1MB" && row.boundOK == true && row.contradiction == nil)
    }

    /// A worker that saves the first video by the second player's threshold, while the second has
    /// lost little: both together lost less than both may.
    @Test func theOthersThresholdExcusesNothing() throws {
        let scene = try Self.scene(lost: (Self.first + 1, 0))
        let judgement = scene.judged
        #expect(judgement.findings.map(\.checker) == [.bound])
        #expect(
            judgement.reason
                == "bound: lost 262145 bytes of the video saved by 256KB, 1 more than the bound of"
                + " 262144, at 786432..<1048577")
        let row = Self.row(judgement)
        #expect(row.boundOK == false)
        #expect(row.isViolation)
        #expect(row.contradiction == nil)
    }

    @Test func theSecondIsHeldToItsOwnAsWell() throws {
        let judgement = Judge.judge(try Self.scene(lost: (0, Self.second + 1)).evidence)
        #expect(judgement.findings.map(\.checker) == [.bound])
        #expect(judgement.reason.contains("of the video saved by 1MB, 1 more"))
    }

    /// Requests of the second video raise the bound of the first no more than its own do.
    @Test func requestsOfTheOtherVideoRaiseNoBound() throws {
        let scene = try Self.scene(lost: (Self.first + 1, 0)).with {
            $0.witnessed.append(.running(Self.middle + 2 * Self.second, got: 0))
            $0.sockets = SocketReading(answers: [
                .running(0..<4 * Self.first + 1), .running(Self.middle..<Self.middle + Self.second),
                .running(Self.middle + 2 * Self.second..<Self.middle + 2 * Self.second),
            ])
        }
        let judgement = scene.judged
        #expect(judgement.findings.map(\.checker).contains(.bound), "\(judgement.reason)")
    }

    /// One threshold for both, the larger: a piece of the first video is larger than its own allows.
    @Test func aPieceLargerThanTheVideosThreshold() throws {
        let scene = try Self.scene(lost: (0, 0)).with {
            $0.commits = 3
            $0.chunks[1] = Self.chunk(Self.first..<3 * Self.first)
            $0.chunks.remove(at: 2)
        }
        let judgement = scene.judged
        #expect(judgement.findings.map(\.checker) == [.commits])
        #expect(
            judgement.reason == "commits: a piece of the video saved by 256KB has 524288 bytes,"
                + " more than 262144")
    }

    /// One threshold for both, the smaller: nothing is lost by it, the second player's choice of
    /// few writes is ignored, and the page's one count of saves would forgive it.
    @Test func morePiecesThanTheVideosThresholdLeaves() throws {
        let scene = try Self.scene(lost: (0, 0)).with {
            $0.chunks.removeLast()
            $0.chunks += (0..<4).map {
                Self.chunk(Self.middle + $0 * Self.first..<Self.middle + ($0 + 1) * Self.first)
            }
        }
        let judgement = scene.judged
        #expect(judgement.findings.map(\.checker) == [.commits])
        #expect(
            judgement.reason
                == "commits: 4 pieces of the video saved by 1MB, where saves of at least"
                + " 974848 bytes and a remainder of each request leave at most 2")
    }

    /// What an earlier launch of the chain has left was saved by requests that the page no longer has.
    @Test func piecesOfEarlierLaunchesAreNotCounted() throws {
        let before = Self.middle..<Self.middle + Self.second
        let scene = try Self.scene(lost: (0, 0)).with {
            $0.kill = 2
            $0.baseline = ByteRanges([before])
            $0.commits = 3
            $0.witnessed.removeLast()
            $0.chunks.removeLast()
            $0.chunks += (0..<4).map {
                Self.chunk(Self.middle + $0 * Self.first..<Self.middle + ($0 + 1) * Self.first)
            }
        }
        let judgement = scene.judged
        #expect(judgement.verdict == .pass, "\(judgement.reason)")
    }

    /// A bound in bytes, as another program has one, is one for both videos together.
    @Test(arguments: [(Int64(300_000), Verdict.pass), (299_999, .fail)])
    func aBoundInBytesIsForBoth(bytes: Int64, verdict: Verdict) throws {
        let scene = try Self.scene(lost: (200_000, 100_000)).with {
            $0.contract = .full(.bytes(bytes))
        }
        #expect(scene.judged.verdict == verdict)
    }
}
