import RigModel
import RigVerdict
import Testing

extension Scene {
    /// The same kill during a player's pattern: a proxy, asked to end after the relaunch.
    static var playback: Scene {
        Scene().with {
            $0.serve()
            $0.played = .of(0..<reached)
            $0.playedOffline = .of(0..<saved)
            $0.playedAfterwards = .of(0..<video)
        }
    }
}

extension Scene {
    /// `disabled` under a player, with all of the running request in the cache.
    ///
    /// Every kill of a worker that saves each read looks like this. A kill right after the save of
    /// a cancelled request does too, and that excuse let the worker pass.
    fileprivate static var eager: Scene {
        disabled.with {
            $0.serve()
            $0.played = .of(0..<reached)
            $0.chunks = [.sound(0..<reached)]
        }
    }
}

extension [OpenRequest] {
    /// A player that has taken everything up to a position, and waits for more.
    static func at(_ position: Int64) -> Self { [OpenRequest(taken: 0..<position, isAlone: true)] }
}

/// What a player must not be given, and how overlapping requests are judged.
extension PlantedBugTests {
    static let playerBugs: [Bug] = [
        Bug(
            "a wrong byte handed to the player, in a sound state", [.delivery],
            "3 bytes handed to the player are unlike the video's, the first at 77:"
                + " bytes shifted by 1",
            .playback.with {
                $0.played?.wrongBytes = 3
                $0.played?.firstDifference = Difference(
                    offset: 77, found: [1], expected: [2], diagnosis: "bytes shifted by 1")
            }),
        Bug(
            "a wrong byte handed over without the network", [.delivery],
            "2 bytes handed to the player are unlike the video's, the first at 9:"
                + " bytes shifted by 1",
            .playback.with {
                $0.playedOffline?.wrongBytes = 2
                $0.playedOffline?.firstDifference = Difference(
                    offset: 9, found: [1], expected: [2], diagnosis: "bytes shifted by 1")
            }),
        Bug(
            "a range answered with another", [.delivery],
            "before the kill, bytes=5-9: Content-Range is '' instead of 'bytes 5-9/10' and 1 more",
            .playback.with {
                $0.played?.faults = [
                    "bytes=5-9: Content-Range is '' instead of 'bytes 5-9/10'", "bytes=7-: another",
                ]
            }),
        Bug(
            "a short body after the relaunch", [.completion, .delivery],
            "afterwards, bytes=0-: the body ended after 7 bytes",
            .playback.with {
                $0.differing = 10
                $0.playedAfterwards?.faults = ["bytes=0-: the body ended after 7 bytes"]
            }),
        Bug(
            "recovered bytes that do not play offline", [.offline],
            "1000 of 2621440 recovered bytes do not play without the network, at 2620440..<2621440",
            .playback.with { $0.playedOffline = .of(0..<saved - 1_000) }),
        Bug(
            "a byte from nowhere without the network", [.offline],
            "bytes=9-9: answered 206 with 1 bytes or more that neither the cache nor the origin has",
            .playback.with {
                $0.playedOffline?.faults = [
                    "bytes=9-9: answered 206 with 1 bytes or more that neither the cache nor the origin has"
                ]
            }),
        Bug(
            "a proxy that dies when it is asked to end", [.completion, .exit],
            "the relaunched worker ended with exit code 0",
            .playback.with { $0.resumptionDeath = .exited(0) }),
        Bug(
            "one request loses what two may", [.bound],
            "lost 524289 bytes, 1 more than the bound of 524288, at 2621440..<3145729",
            .playback.with { $0.witnessed[1] = .running(0, got: saved + chunk + 1, saved: saved) }),
        Bug(
            "a range left behind by an eviction", [.ranges],
            "524288 bytes are claimed and in no chunk, at 7340032..<7864320",
            .playback.with { $0.claimed = ByteRanges([0..<saved, 14 * chunk..<15 * chunk]) }),
        Bug(
            "fewer commits than distinct bytes need", [.commits],
            "3 commits for 2621440 acknowledged bytes: commits of at most 524288 bytes"
                + " imply at least 4", .playback.with { $0.commits = 3 }),
        Bug(
            "disabled that saves a part of a running request", [.nullControl],
            "524288 bytes of the running request survived although nothing is saved before"
                + " its end, at 0..<524288",
            Scene.disabled.with {
                $0.serve()
                $0.chunks = [.sound(0..<chunk)]
            }),
        Bug(
            "disabled that saves all of a running request as it comes", [.nullControl],
            "3000000 bytes of the running request survived although nothing is saved before"
                + " its end, at 0..<3000000", .eager.with { $0.played?.open = .at(Scene.reached) }),
        Bug(
            "the same, ahead of its player", [.nullControl],
            "3000000 bytes of the running request survived although nothing is saved before"
                + " its end, at 0..<3000000",
            .eager.with { $0.played?.open = .at(Scene.reached - 70_000) }),
    ]

    private static var saved: Int64 { Scene.saved }
    private static var chunk: Int64 { Scene.chunk }
}

/// Evidence that is right with a player, and would be wrong without one.
@Suite struct HealthyPlayerTests {
    @Test func aPlayersPatternPasses() {
        let judgement = Scene.playback.judged
        #expect(judgement.verdict == .pass, "\(judgement.reason)")
    }

    /// The save of a request that a player has cancelled, on a page that does not show it yet.
    @Test(arguments: [nil, [], .at(Scene.reached + 1), .at(Scene.video - 1)] as [[OpenRequest]?])
    func aRequestThatIsNotWantedMayBeSavedWhole(open: [OpenRequest]?) {
        let judgement = Scene.eager.with { $0.played?.open = open }.judged
        #expect(judgement.findings.isEmpty, "\(judgement.reason)")
    }

    /// The player waits for more from another request, so this one may be over.
    @Test func aRequestThatAnotherOneFollowsMayBeSavedWhole() {
        let scene = Scene.eager.with {
            $0.played?.open = .at(Scene.reached)
            $0.witnessed.append(.running(Scene.reached, got: 0))
        }
        #expect(scene.judged.findings.isEmpty)
    }

    /// Two downloads that run at the kill may each lose a threshold, and no more.
    @Test func theBoundCountsActiveRequests() {
        let judgement = Scene.playback.with {
            let far = 6_000_000 as Int64
            $0.witnessed.append(.running(far, got: Scene.chunk))
        }.judged
        #expect(judgement.verdict == .pass, "\(judgement.reason)")
        #expect(judgement.figures.bound == 2 * Scene.chunk)
    }

    /// Saved bytes are acknowledged to a second request that brought them, too: no commit is
    /// missing.
    @Test func bytesThatTwoRequestsBroughtNeedOneCommit() {
        let twice = WitnessedRequest.ended(0, got: Scene.saved, saved: Scene.saved)
        #expect(Scene.playback.with { $0.witnessed.append(twice) }.found == [.duplicates])
        // A program that fetches by itself requests no byte twice: there it is a finding.
        #expect(Scene().with { $0.witnessed.append(twice) }.found == [.commits])
    }

    /// Under `disabled` a cancelled request is saved whole, and the kill may come right after.
    @Test func aCancelledRequestMayHaveBeenSavedAsAWhole() {
        let cancelled = Scene.disabled.with {
            $0.serve()
            $0.chunks = [.sound(0..<Scene.reached)]
        }
        #expect(cancelled.judged.verdict == .pass)
        let download = cancelled.with {
            $0.workload = .download
            $0.expectedDeath = .exited(0)
            $0.resumptionDeath = .exited(0)
        }
        #expect(download.found == [.nullControl])
    }

    /// Wrong bytes count whatever happened to the kill.
    @Test func aWrongByteIsExcusedByNothing() {
        let scene = Scene.playback.with {
            $0.end(.exited(143))
            $0.played?.wrongBytes = 1
            $0.played?.faults = ["bytes=0-: recv: Connection reset by peer"]
        }
        let judgement = scene.judged
        #expect(judgement.verdict == .fail)
        #expect(judgement.findings.map(\.checker) == [.delivery])
        #expect(judgement.figures.corruptBytes == 1)
        // A connection that breaks without a kill of the rig's proves nothing.
        #expect(scene.with { $0.played?.wrongBytes = 0 }.judged.verdict == .inconclusive)
    }
}
