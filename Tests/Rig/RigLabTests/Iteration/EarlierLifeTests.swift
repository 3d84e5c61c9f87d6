import RigModel
import Testing
import Witness

@testable import RigLab

/// A launch before the kill is held to what its page acknowledged.
///
/// It has received and acknowledged 100 bytes of a video, and 60 of them are left.
struct EarlierLifeTests {
    private let folder: TemporaryFolder
    private let writer: WitnessWriter
    private let url = "http://127.0.0.1/1.mp4"

    init() throws {
        folder = try TemporaryFolder()
        writer = try WitnessWriter(path: folder.file("page"))
    }

    private func life(
        left: StateExamination = .found(Self.left), asked: ByteRanges? = nil, capacity: Int64? = nil
    ) throws -> EarlierLife {
        EarlierLife(
            LifeEnd(.earlier, .exited(0), expectedDeath: nil),
            page: try WitnessWatch(path: folder.file("page")), asked: asked, left: left,
            hasWitness: true, capacity: capacity)
    }

    private static let left = Autopsy(
        integrityCheck: "ok",
        chunks: [StoredChunk(range: 0..<60, checksumMatches: true, differingBytes: 0)],
        claimedRanges: ByteRanges([0..<60]), firstDifference: nil)

    private func acknowledge() throws {
        let request = try #require(writer.begin(url: url, start: 0))
        request.receive(100)
        request.acknowledge(upTo: 100)
        request.end()
    }

    @Test func whatItHasAcknowledgedAndDoesNotKeepIsForgotten() throws {
        try acknowledge()
        let life = try life()
        #expect(life.left?.ranges == [0..<60])
        #expect(life.end.forgotten?.ranges == [60..<100])
        #expect(life.end.excuse == nil)
    }

    /// A table that is not there holds nothing, however the query for it ends.
    @Test func aStateThatDoesNotFitTheQueryKeepsNothing() throws {
        try acknowledge()
        #expect(try life(left: .unfit("no such table")).end.forgotten?.ranges == [0..<100])
        let unread = try life(left: .failed("disk I/O error"))
        #expect(unread.end.forgotten == nil)
        #expect(unread.end.excuse?.contains("disk I/O error") == true)
    }

    /// The page had the last word, and took back what it had said.
    @Test func whatThePageTakesBackWhenAskedToEndCounts() throws {
        #expect(try life(asked: ByteRanges([0..<100])).end.forgotten?.ranges == [60..<100])
    }

    /// Without a capacity nothing has to go, and where everything has room nothing does either.
    @Test func anEvictionExcusesOnlyWhereThereWasNoRoom() throws {
        try acknowledge()
        writer.evict(url: url, start: 60, length: 40)
        #expect(try life().end.forgotten?.ranges == [60..<100])
        #expect(try life(capacity: 100).end.forgotten?.ranges == [60..<100])
        #expect(try life(capacity: 99).end.forgotten?.isEmpty == true)
        let asked = ByteRanges([0..<100])
        #expect(try life(asked: asked, capacity: 99).end.forgotten?.isEmpty == true)
    }

    @Test func aFullPageOfEvictionsProvesNothing() throws {
        for _ in 0...1_023 { writer.evict(url: url, start: 0, length: 1) }
        #expect(try life(capacity: 10).end.excuse?.contains("no room") == true)
    }
}
