import RigModel
import RigVerdict
import Testing

/// What two requests must not fetch twice, and what a capacity permits.
extension PlantedBugTests {
    static let sharingBugs: [Bug] = [
        Bug(
            "two running downloads of the same bytes", [.duplicates],
            "2099200 bytes were fetched again by 1 of 3 requests although others brought"
                + " them, at 900800..<3000000",
            .playback.with {
                $0.witnessed.append(.running(900_800, got: 2_099_200, saved: 1_720_640))
            }),
        Bug(
            "cached bytes that are not found again", [.duplicates],
            "65537 bytes were fetched again by 1 of 3 requests although others brought"
                + " them, at 0..<65537",
            .playback.with { $0.witnessed.append(.ended(0, got: 65_537, saved: 65_537)) }),
        Bug(
            "more kept than the capacity", [.eviction],
            "2621440 bytes are kept, 1 more than the capacity of 2621439",
            .playback.with { $0.capacity = Scene.saved - 1 }),
        Bug(
            "a chunk dropped while there is room", [.eviction],
            "524288 bytes that were acknowledged are gone though only 2097152 of 3145729"
                + " bytes are taken, at 0..<524288",
            .dropped.with { $0.capacity = 6 * Scene.chunk + 1 }),
        Bug(
            "acknowledged bytes that go without a word, at the limit", [.bound, .durability],
            "524288 of 2621440 acknowledged bytes are gone, at 0..<524288",
            .dropped.with {
                $0.capacity = 6 * Scene.chunk
                $0.evictions = []
            }),
        Bug(
            "a page that knows of no evictions", [.bound, .durability],
            "524288 of 2621440 acknowledged bytes are gone, at 0..<524288",
            .dropped.with {
                $0.capacity = 6 * Scene.chunk
                $0.evictions = nil
            }),
        Bug(
            "other bytes go than were said to", [.bound, .durability],
            "1 of 2097153 acknowledged bytes are gone, at 524287..<524288",
            .dropped.with {
                $0.capacity = 6 * Scene.chunk
                $0.evictions = [WitnessedEviction(range: 0..<Scene.chunk - 1, requests: 2)]
                $0.witnessed[1] = .running(0, got: Scene.saved + Scene.chunk, saved: Scene.saved)
            }),
        Bug(
            "evicted bytes that were fetched and called safe again", [.bound, .durability],
            "524288 of 2621440 acknowledged bytes are gone, at 0..<524288",
            .dropped.with {
                $0.capacity = 6 * Scene.chunk
                $0.witnessed.append(.ended(0, got: Scene.chunk, saved: Scene.chunk))
            }),
        Bug(
            "chunks that are said to go and stay", [.eviction],
            "1048577 bytes are there that were said to go, at 524288..<1572865",
            .playback.with {
                $0.capacity = 6 * Scene.chunk
                $0.evictions = [
                    WitnessedEviction(range: Scene.chunk..<3 * Scene.chunk + 1, requests: 2)
                ]
            }),
        Bug(
            "the newest chunk dropped, and said to go", [.eviction],
            "14656 bytes that the player had been handed last were evicted,"
                + " at 2606784..<2621440", .newestDropped),
        Bug(
            "a row dropped and its range left behind", [.ranges],
            "524288 bytes are claimed and in no chunk, at 0..<524288",
            .dropped.with {
                $0.capacity = 6 * Scene.chunk
                $0.claimed = ByteRanges([0..<Scene.saved])
            }),
        Bug(
            "bytes of two versions in one answer", [.completion, .delivery],
            "7 bytes handed to the player are unlike the video's",
            .playback.with {
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
            $0.evictions = [WitnessedEviction(range: 0..<chunk, requests: 2)]
        }
    }

    /// The same with the chunk that the player was given last.
    fileprivate static var newestDropped: Scene {
        playback.with {
            $0.capacity = 6 * chunk
            $0.chunks.removeLast()
            $0.claimed = ByteRanges([0..<4 * chunk])
            $0.playedOffline = .of(0..<4 * chunk)
            $0.played?.open = .at(reached)
            $0.refetched = [4 * chunk..<video]
            $0.evictions = [WitnessedEviction(range: 4 * chunk..<saved, requests: 2)]
        }
    }
}

/// Valid evidence under a capacity, and after the origin's video has changed.
@Suite struct HealthySharingTests {
    /// At most two thresholds are free after an eviction; then the missing bytes were evicted.
    @Test func anEvictedChunkIsNotLost() {
        let scene = Scene.dropped.with { $0.capacity = 6 * Scene.chunk }
        let judgement = scene.judged
        #expect(judgement.verdict == .pass, "\(judgement.reason)")
        #expect(judgement.figures.lost?.count == Scene.reached - Scene.saved)
        #expect(scene.with { $0.capacity = nil }.found == [.bound, .durability])
        // Recovered bytes may be evicted to make room for missing ones, and be fetched again.
        #expect(scene.with { $0.refetched = [0..<Scene.video] }.judged.verdict == .pass)
    }

    /// Announced, and killed before the commit: as much as one save needs is still there.
    @Test func whatWasAboutToGoMayBeThere() {
        let judgement = Scene.playback.with {
            $0.capacity = 6 * Scene.chunk
            $0.evictions = [WitnessedEviction(range: Scene.chunk..<3 * Scene.chunk, requests: 2)]
        }.judged
        #expect(judgement.verdict == .pass, "\(judgement.reason)")
        #expect(judgement.figures.acknowledged?.count == Scene.saved)
        #expect(judgement.figures.evicted.isEmpty)
    }

    /// Evicted, fetched again and present: the eviction no longer matters.
    @Test func whatWasFetchedAgainIsThereByRight() {
        let judgement = Scene.playback.with {
            $0.capacity = 6 * Scene.chunk
            $0.evictions = [WitnessedEviction(range: 0..<3 * Scene.chunk, requests: 2)]
            $0.witnessed.append(.ended(0, got: 3 * Scene.chunk, saved: 3 * Scene.chunk))
            $0.commits = 8
        }.judged
        #expect(judgement.findings.isEmpty, "\(judgement.reason)")
    }

    /// A running request reaches evicted bytes: four of sixty kills of the correct worker were
    /// reported as evicting what the player had been given last, which another request was fetching
    /// again.
    @Test func bytesThatARunningRequestBringsAgainAreNotTheLast() {
        let scene = Scene.newestDropped.with {
            $0.witnessed.insert(
                WitnessedRequest.ended(4 * Scene.chunk, got: Scene.chunk, saved: Scene.chunk), at: 1
            )
            $0.witnessed[2] = .running(0, got: Scene.reached, saved: 4 * Scene.chunk)
            $0.evictions = [WitnessedEviction(range: 4 * Scene.chunk..<Scene.saved, requests: 3)]
        }
        #expect(scene.judged.findings.isEmpty)
    }

    /// With two open requests, the other one's bytes may be the newer.
    @Test func ofTwoOpenRequestsNoneIsSaidToBeTheLast() {
        let open = OpenRequest(taken: 0..<Scene.reached, isAlone: false)
        for requests in [[open], [open, open]] {
            let kill = Scene.newestDropped.with { $0.played?.open = requests }
            #expect(kill.judged.findings.isEmpty)
        }
    }

    /// Bytes from before this life may also be evicted, if that is announced.
    @Test func whatWasThereBeforeMayBeEvictedToo() {
        let before = 9_000_000..<9_100_000 as Range<Int64>
        let scene = Scene.playback.with {
            $0.kill = 2
            $0.baseline = ByteRanges([before])
            $0.capacity = 6 * Scene.chunk
            $0.evictions = [WitnessedEviction(range: before, requests: 1)]
        }
        let judgement = scene.judged
        #expect(judgement.findings.isEmpty, "\(judgement.reason)")
        let silent = scene.with { $0.evictions = [] }.judged
        #expect(silent.findings.map(\.checker) == [.durability])
    }

    /// Bytes that were neither evicted nor acknowledged are still bounded.
    @Test func aCapacityExcusesNoLossOfWhatWasNeverSafe() {
        let scene = Scene.dropped.with {
            $0.capacity = 6 * Scene.chunk
            $0.refetched = [0..<Scene.video]
            $0.witnessed[1] = .running(0, got: Scene.saved + Scene.chunk + 1, saved: Scene.saved)
        }
        #expect(scene.found == [.bound])
    }

    /// A download that another one takes over ends with its current read.
    @Test func aReadThatOverlapsIsNoDuplicate() {
        let scene = Scene.playback.with {
            $0.witnessed.append(.ended(0, got: 65_536, saved: 65_536))
        }
        #expect(scene.judged.verdict == .pass)
        // Evicted bytes may be fetched again.
        let evicting = Scene.playback.with {
            $0.capacity = 6 * Scene.chunk
            $0.witnessed.append(.ended(0, got: Scene.chunk, saved: Scene.chunk))
        }
        #expect(evicting.judged.verdict == .pass)
    }

    /// Nothing of another version is recovered, so everything is fetched.
    @Test func aChangedVideoIsFetchedAsAWhole() {
        let scene = Scene.playback.with {
            $0.originChanged = true
            $0.refetched = [0..<Scene.video]
        }
        #expect(scene.judged.verdict == .pass)
        #expect(scene.with { $0.originChanged = false }.found == [.resumption])
    }
}
