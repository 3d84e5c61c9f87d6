import Foundation
import RigModel
import Testing
import Witness

@testable import RigLab

/// The page as evidence: several videos in one position space, read repeatedly.
struct WitnessWatchTests {
    private let folder: TemporaryFolder
    private let writer: WitnessWriter
    private let one = "http://127.0.0.1/1.mp4"
    private let two = "http://127.0.0.1/2.mp4"

    init() throws {
        folder = try TemporaryFolder()
        writer = try WitnessWriter(path: folder.file("page"))
    }

    private func watch() throws -> WitnessWatch {
        let space = PositionSpace([
            (one, BytesVideo.pattern(1_000)), (two, BytesVideo.pattern(500)),
        ])
        return try WitnessWatch(path: folder.file("page"), placing: space)
    }

    @Test func aRequestLiesWhereItsVideoLies() throws {
        let watch = try watch()
        let first = try #require(writer.begin(url: one, start: 10))
        let second = try #require(writer.begin(url: two, start: 100))
        first.receive(50)
        second.receive(70)
        second.acknowledge(upTo: 60)
        #expect(watch.glance.received.ranges == [10..<60, 1_100..<1_170])
        #expect(watch.glance.acknowledged.ranges == [1_100..<1_160])
        #expect(watch.reading?.received == watch.glance.received)
        #expect(watch.reading?.activeRequests == 2)
    }

    @Test func theJudgeKnowsWhatAPageHasRoomFor() {
        #expect(WitnessReading.mostRequests == WitnessLayout.slotCount)
    }

    /// Impossible positions become -1, where the judge refuses the page.
    @Test(arguments: [
        ("http://127.0.0.1/3.mp4", 0, 5), ("http://127.0.0.1/1.mp4", 990, 11),
        ("http://127.0.0.1/2.mp4", 0, 501),
    ])
    func aRequestOfNoVideoOrBeyondItsEndIsRefused(url: String, start: UInt64, count: Int) throws {
        let watch = try watch()
        let request = try #require(writer.begin(url: url, start: start))
        request.receive(count)
        #expect(watch.reading?.requests.map(\.start) == [-1])
    }

    /// An eviction is placed in its video's positions; one of an unknown video excuses nothing.
    @Test func anEvictionLiesWhereItsVideoLies() throws {
        let watch = try watch()
        _ = writer.begin(url: one, start: 0)
        writer.evict(url: two, start: 100, length: 50)
        writer.evict(url: "http://127.0.0.1/3.mp4", start: 0, length: 5)
        writer.evict(url: one, start: 990, length: 11)
        _ = writer.begin(url: one, start: 0)
        writer.evict(url: one, start: 0, length: 1_000)
        #expect(
            watch.reading?.evictions == [
                WitnessedEviction(range: 1_100..<1_150, requests: 1),
                WitnessedEviction(range: 0..<1_000, requests: 2),
            ])
    }

    /// A page that has dropped evictions cannot tell which bytes must be there.
    @Test func moreEvictionsThanThePageHoldsAreNoEvidence() throws {
        let watch = try watch()
        for _ in 0...1_023 { writer.evict(url: one, start: 0, length: 1) }
        #expect(watch.reading == nil)
    }

    @Test func whatHasEndedIsRememberedAndWhatRunsIsLookedAt() throws {
        let watch = try watch()
        var expected: [Range<Int64>] = []
        for index in 0..<40 {
            let request = try #require(writer.begin(url: one, start: UInt64(index * 20)))
            request.receive(10)
            expected.append(Int64(index * 20)..<Int64(index * 20 + 10))
            if !index.isMultiple(of: 7) { request.end() }
            #expect(watch.glance.received.ranges == expected)
            #expect(watch.reading?.received.ranges == expected)
        }
        let before = watch.glance.progress
        writer.commitReturned()
        #expect(watch.glance.progress > before)
    }

    /// A page that has reused slots cannot account for every byte, but still shows progress.
    @Test func aPageThatHasGoneRoundSaysOnlyThatWorkGoesOn() throws {
        let watch = try watch()
        for _ in 0..<1_023 { writer.begin(url: one, start: 0)?.end() }
        #expect(watch.reading?.requests.count == 1_023)
        let before = watch.glance.progress
        writer.begin(url: one, start: 0)?.end()
        #expect(watch.reading == nil)
        #expect(watch.records.isEmpty)
        #expect(watch.glance.progress > before)
    }
}

extension WitnessWatch {
    fileprivate convenience init(path: String, placing space: PositionSpace) throws {
        try self.init(path: path, placement: space.placement)
    }
}
