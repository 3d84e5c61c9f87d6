import RigModel
import Testing

@testable import RigVerdict

/// For each tolerance: what it just allows, and what is found just beyond.
///
/// Figures are written out, so widening a constant fails here.
@Suite struct ToleranceTests {
    @Test(arguments: [(102_400, []), (102_401, [Checker.agreement])] as [(Int64, [Checker])])
    func readInHand(bytes: Int64, found: [Checker]) {
        let scene = Scene().with {
            $0.sockets = .taken(0..<Scene.reached + bytes)
            $0.served = [ServedRequest(requested: 0..<Scene.video, servedBytes: Scene.video)]
        }
        #expect(scene.found == found)
    }

    /// SQLite's last commit took more than a second on a busy machine, and the power was cut in it:
    /// for origin and kernel the request had been over, and the store was blamed, in 2 of 20 cuts.
    @Test(arguments: [(Scene.video, false), (Scene.video - 1, true)])
    func theLastCommitMayTakeLong(received: Int64, isFound: Bool) {
        let scene = Scene().with {
            $0.witnessed = [.running(0, got: received, saved: Scene.saved)]
            $0.sockets = SocketReading(unknown: "the power was cut", activeRequests: 0)
            $0.served = [ServedRequest(requested: 0..<Scene.video, servedBytes: Scene.video)]
        }
        #expect(scene.found.contains(.agreement) == isFound)
    }

    /// Eight requests reached the origin: as many more, plus one, may be missing.
    @Test(arguments: [(17, false), (18, true)])
    func requestsThatWereNotAsked(begun: Int, isFound: Bool) {
        let scene = Scene().with {
            $0.hasWitness = false
            $0.witnessGap = .requestsMissing(begun: begun)
            $0.served = Array(
                repeating: ServedRequest(requested: 0..<Scene.video, servedBytes: Scene.reached),
                count: 8)
        }
        #expect(scene.found == (isFound ? [.ledger] : []))
    }

    /// A worker asks for the rest from one byte too far on, so that the end of its file is shifted;
    /// what it was never sent there equals the video's by chance, up to the next wrong byte.
    @Test(
        arguments: [
            (1, 0, false), (15, 0, false), (1, 14, false), (16, 0, true), (1, 15, true),
        ] as [(Int64, Int64, Bool)])
    func bytesEqualByChanceBesideWrongOnes(unsent: Int64, alike: Int64, isFound: Bool) {
        let rest = Scene.kept + unsent..<Scene.video
        for isBehind in [false, true] {
            let scene = Scene.blackBox.with {
                $0.sockets = .taken(0..<Scene.kept)
                $0.fetch(rest)
                $0.wrong =
                    isBehind
                    ? ByteRanges([Scene.kept - alike - 9..<Scene.kept - alike])
                    : ByteRanges([rest.lowerBound + alike..<Scene.video])
                $0.differing = $0.wrong?.count
            }
            #expect(
                scene.found == (isFound ? [.unearned, .completion] : [.completion]),
                "\(isBehind)")
        }
    }

    @Test(arguments: [(65_536, []), (65_537, [Checker.duplicates])] as [(Int64, [Checker])])
    func duplicatesPerRequest(bytes: Int64, found: [Checker]) {
        let scene = Scene.playback.with { $0.witnessed.append(.ended(0, got: bytes, saved: bytes)) }
        #expect(scene.found == found)
    }

    /// Where no validator names the version, two requests may bring 64 KB each that were there, or
    /// all of it; elsewhere nothing.
    @Test(
        arguments: [
            (131_072, true, []), (131_073, true, [.resumption]),
            (Scene.saved - 1, true, [.resumption]), (Scene.saved, true, []),
            (1, false, [.resumption]),
        ] as [(Int64, Bool, [Checker])])
    func comparedBytesPerRequest(bytes: Int64, hidesVersion: Bool, found: [Checker]) {
        var evidence = Scene().with {
            $0.refetched = [Scene.saved - bytes..<Scene.saved, Scene.saved..<Scene.video]
        }.evidence
        evidence.hidesVersion = hidesVersion
        #expect(Judge.judge(evidence).findings.map(\.checker) == found)
    }

    /// yt-dlp asks for the whole first, reads 8 KB to see what it is, and then asks for the rest:
    /// where a look at the sockets fell on that first request, all of its kills failed.
    @Test(
        arguments: [
            (0, 8036, []), (0, 65_536, []), (0, 65_537, [.resumption]), (65_536, 1, [.resumption]),
            (0, Scene.saved, [.resumption]), (Scene.saved - 1, 1, [.resumption]),
        ] as [(Int64, Int64, [Checker])])
    func aForeignWorkerLooksAtTheBeginning(from start: Int64, bytes: Int64, found: [Checker]) {
        let evidence = Scene().with {
            $0.contract = .full(.threshold)
            $0.refetched = [start..<start + bytes, Scene.saved..<Scene.video]
        }.evidence
        #expect(Judge.judge(evidence).findings.map(\.checker) == found)
    }

    /// One byte less than twenty commits of 476 KB, or ten of 952 KB: nineteen or nine, one
    /// remainder, and one in progress.
    @Test(
        arguments: [(512 << 10, 20 * 487_424 - 1, 21), (1 << 20, 10 * 2 * 487_424 - 1, 11)]
            as [(Int64, Int64, Int)])
    func commitShortfall(threshold: Int64, bytes: Int64, most: Int) {
        #expect(JudgedKill.smallestCommit(threshold: 512 << 10) == 487_424)
        #expect(JudgedKill.smallestCommit(threshold: 256 << 10) == 225_280)
        #expect(JudgedKill.smallestCommit(threshold: 36 << 10) == nil)
        for (commits, found) in [(most, []), (most + 1, [.commits])] as [(Int, [Checker])] {
            #expect(Self.saved(bytes, in: commits, threshold: threshold).found == found)
        }
    }

    private static func saved(_ bytes: Int64, in commits: Int, threshold: Int64) -> Scene {
        Scene().with {
            $0.policy = Policy(threshold: ByteSize(bytes: threshold))
            $0.commits = commits
            $0.witnessed[1] = .running(0, got: bytes, saved: bytes)
            $0.keep(0..<bytes)
        }
    }

    /// Five chunks of one active request, and another that has ended: four commits to seven.
    @Test(arguments: [(4, true), (3, false), (7, true), (8, false)])
    func commitsInHand(commits: Int, isForgiven: Bool) {
        let scene = Scene().with { $0.commits = commits }
        #expect(scene.found == (isForgiven ? [] : [.commits]))
    }

    @Test(arguments: [(0, []), (1, [Checker.eviction])] as [(Int64, [Checker])])
    func freeAfterAnEviction(more: Int64, found: [Checker]) {
        // Four chunks of 512 KB are kept; two are free, plus this many bytes.
        let scene = Scene.playback.with {
            $0.capacity = 6 * Scene.chunk + more
            $0.chunks.removeFirst()
            $0.claimed = ByteRanges([Scene.chunk..<Scene.saved])
            $0.playedOffline = .of(Scene.chunk..<Scene.saved)
            $0.refetched = [0..<Scene.chunk, Scene.saved..<Scene.video]
            $0.evictions = [WitnessedEviction(range: 0..<Scene.chunk, requests: 2)]
        }
        #expect(scene.found == found)
        // The same for announced evictions that are still there.
        let there = Scene.playback.with {
            $0.capacity = 6 * Scene.chunk
            $0.evictions = [
                WitnessedEviction(range: Scene.chunk..<3 * Scene.chunk + more, requests: 2)
            ]
        }
        #expect(there.found == found)
    }

    /// An eighth of 4 MB is 512 KB: what was delivered before that may be evicted.
    @Test(arguments: [(0, []), (1, [Checker.eviction])] as [(Int64, [Checker])])
    func usedLast(more: Int64, found: [Checker]) {
        let reached: Int64 = Scene.chunk + 524_288 - more
        let scene = Scene.playback.with {
            $0.policy = Policy(threshold: ByteSize(bytes: 256 << 10))
            $0.capacity = 4 << 20
            $0.witnessed = [
                .ended(6 << 20, got: 4 << 20, saved: 4 << 20),
                .running(0, got: reached, saved: Scene.chunk),
            ]
            $0.commits = 18
            $0.chunks = [.sound(6 << 20..<10 << 20)]
            $0.claimed = ByteRanges([6 << 20..<10 << 20])
            $0.played?.open = [OpenRequest(taken: 0..<reached, isAlone: true)]
            $0.playedOffline = .of(6 << 20..<10 << 20)
            $0.refetched = [0..<6 << 20]
            $0.evictions = [WitnessedEviction(range: 0..<Scene.chunk, requests: 2)]
        }
        #expect(scene.found.filter { $0 == .eviction } == found)
    }

    @Test(arguments: [(2, []), (3, [Checker.bound])] as [(Int64, [Checker])])
    func probesSaveNothing(bytes: Int64, found: [Checker]) {
        let scene = Scene().with { $0.witnessed[0] = .ended(9_000_000, got: bytes) }
        #expect(scene.found.filter { $0 == .bound } == found)
    }

    @Test(arguments: [(1.09, false), (1.12, true)])
    func usualDrift(factor: Double, isDifference: Bool) {
        let base = (0..<40).map { 1 + Double($0 % 5) / 10_000 }
        let other = base.map { $0 * factor }
        let drift = Drift.between(base, other, isPaired: false)
        let test = Drift.test(base, other, isPaired: false, drift: drift)
        #expect((test.pValue < RunComparison.level) == isDifference)
    }

    @Test(arguments: [(0.0009, true), (0.0012, false)])
    func lossPercentRounding(off: Double, isForgiven: Bool) {
        let row = makeRow(lost: 250, received: 1_000) { $0.lossPercent = 25 + off }
        let isFound = row.contradiction == "loss_percent is not 100 × lost_bytes ÷ received_bytes"
        #expect(isFound != isForgiven, "\(row.contradiction ?? "")")
    }
}
