import RigModel
import RigVerdict
import Testing

/// What two requests must not bring twice, and what a capacity permits.
extension PlantedBugTests {
    static let sharingBugs = [
        Bug(
            name: "two running downloads of the same bytes", checkers: [.duplicates],
            detail: "2099200 bytes were fetched again by 1 of 3 requests although others brought"
                + " them, at 900800..<3000000",
            scene: .playback.with {
                $0.witnessed.append(
                    WitnessedRequest(
                        start: 900_800, received: 2_099_200, acknowledged: 1_720_640,
                        isActive: true))
            }),
        Bug(
            name: "cached bytes that are not found again", checkers: [.duplicates],
            detail: "65537 bytes were fetched again by 1 of 3 requests although others brought"
                + " them, at 0..<65537",
            scene: .playback.with {
                $0.witnessed.append(
                    WitnessedRequest(
                        start: 0, received: 65_537, acknowledged: 65_537, isActive: false))
            }),
        Bug(
            name: "more kept than the capacity", checkers: [.eviction],
            detail: "2621440 bytes are kept, 1 more than the capacity of 2621439",
            scene: .playback.with { $0.capacity = Scene.saved - 1 }),
        Bug(
            name: "a chunk dropped while there is room", checkers: [.eviction],
            detail: "524288 bytes that were acknowledged are gone though only 2097152 of 3145729"
                + " bytes are taken, at 0..<524288",
            scene: .dropped.with { $0.capacity = 6 * Scene.chunk + 1 }),
        Bug(
            name: "a row dropped and its range left behind", checkers: [.ranges],
            detail: "524288 bytes are claimed and in no chunk, at 0..<524288",
            scene: .dropped.with {
                $0.capacity = 6 * Scene.chunk
                $0.claimed = ByteRanges([0..<Scene.saved])
            }),
        Bug(
            name: "bytes of two versions in one answer", checkers: [.completion, .delivery],
            detail: "7 bytes handed to the player are unlike the video's",
            scene: .playback.with {
                $0.originChanged = true
                $0.playedAfterwards?.wrongBytes = 7
                $0.differing = 7
            }),
    ]
}

extension Scene {
    /// The same kill after the first chunk was evicted, with its range.
    fileprivate static var dropped: Scene {
        playback.with {
            $0.chunks.removeFirst()
            $0.claimed = ByteRanges([chunk..<saved])
            $0.playedOffline = .of(chunk..<saved)
            $0.refetched = [0..<chunk, saved..<video]
        }
    }
}

/// What is right under a capacity, and after the origin's video has changed.
@Suite struct HealthySharingTests {
    /// At most two thresholds are free after an eviction; then what is gone was evicted.
    @Test func anEvictedChunkIsNotLost() {
        let scene = Scene.dropped.with { $0.capacity = 6 * Scene.chunk }
        let judgement = Judge.judge(scene.evidence)
        #expect(judgement.verdict == .pass, "\(judgement.reason)")
        #expect(judgement.figures.lost?.count == Scene.reached - Scene.saved)
        let without = scene.with { $0.capacity = nil }
        #expect(Judge.judge(without.evidence).findings.map(\.checker) == [.bound, .durability])
        // To make room for what is missing, what was recovered may go and be fetched again.
        let again = scene.with { $0.refetched = [0..<Scene.video] }
        #expect(Judge.judge(again.evidence).verdict == .pass)
    }

    /// What was not evicted and not acknowledged is still bounded.
    @Test func aCapacityExcusesNoLossOfWhatWasNeverSafe() {
        let scene = Scene.dropped.with {
            $0.capacity = 6 * Scene.chunk
            $0.refetched = [0..<Scene.video]
            $0.witnessed[1] = WitnessedRequest(
                start: 0, received: Scene.saved + Scene.chunk + 1, acknowledged: Scene.saved,
                isActive: true)
        }
        #expect(Judge.judge(scene.evidence).findings.map(\.checker) == [.bound])
    }

    /// A download that another takes over from ends with the read under way.
    @Test func aReadThatOverlapsIsNoDuplicate() {
        let scene = Scene.playback.with {
            $0.witnessed.append(
                WitnessedRequest(start: 0, received: 65_536, acknowledged: 65_536, isActive: false))
        }
        #expect(Judge.judge(scene.evidence).verdict == .pass)
        // Evicted bytes are rightly fetched again.
        let evicting = Scene.playback.with {
            $0.capacity = 6 * Scene.chunk
            $0.witnessed.append(
                WitnessedRequest(
                    start: 0, received: Scene.chunk, acknowledged: Scene.chunk, isActive: false))
        }
        #expect(Judge.judge(evicting.evidence).verdict == .pass)
    }

    /// Of another version nothing is recovered: everything is rightly fetched.
    @Test func aChangedVideoIsFetchedAsAWhole() {
        let scene = Scene.playback.with {
            $0.originChanged = true
            $0.refetched = [0..<Scene.video]
        }
        #expect(Judge.judge(scene.evidence).verdict == .pass)
        let same = scene.with { $0.originChanged = false }
        #expect(Judge.judge(same.evidence).findings.map(\.checker) == [.resumption])
    }
}
