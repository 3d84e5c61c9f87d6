import Testing
import Witness

/// How the rig reads a page: whole, half-written, foreign or empty.
@Suite struct ReaderTests {
    private let page: RawPage

    init() throws { page = try RawPage() }

    @Test func aPageThatWasNotWrittenSaysNothing() throws {
        let reader = try WitnessReader(path: page.path)
        #expect(!reader.isWritten && reader.phase == nil)
        #expect(reader.records.isEmpty)
    }

    @Test func anotherMappingSeesWhatTheWriterLeft() throws {
        do {
            let writer = try WitnessWriter(path: page.path)
            writer.enter(.committing)
            writer.commitReturned()
            let request = try #require(writer.begin(url: "u", start: 40))
            request.receive(30)
            request.receive(12)
            request.acknowledge(upTo: 30)
        }
        let reader = try WitnessReader(path: page.path)
        #expect(reader.isWritten && reader.phase == .committing)
        #expect(reader.commits == 1 && reader.requestsBegun == 1)
        #expect(
            reader.records == [
                WitnessRecord(
                    resource: WitnessLayout.resource(of: "u"), start: 40, received: 42,
                    acknowledged: 30, ordinal: 1)
            ])
    }

    /// A kill during an update leaves the earlier values intact.
    ///
    /// The invalid record is half overwritten, and the sequence does not name it yet.
    @Test func aTornUpdateLeavesTheOldRecord() throws {
        let writer = try WitnessWriter(path: page.path)
        let request = try #require(writer.begin(url: "u", start: 5))
        request.receive(100)
        let slot: UInt64 = 256
        // Sequence 2 names the record at 16; the next update would fill the one at 56.
        try page.write(5, at: slot + 56)
        try page.write(999, at: slot + 56 + 8)
        let reader = try WitnessReader(path: page.path)
        let old = WitnessRecord(
            resource: WitnessLayout.resource(of: "u"), start: 5, received: 100, ordinal: 1)
        #expect(reader.records == [old])

        // If the sequence had advanced before the record was complete, the mixture would show.
        try page.write(3, at: slot)
        #expect(reader.records.map(\.received) == [999])
    }

    @Test(
        arguments: [
            ("magic", 0, 8, 0), ("a foreign magic", 0, 8, 0x3131_3131_3131_3131),
            ("an earlier version", 8, 4, 2), ("a later version", 8, 4, 4),
            ("another number of slots", 12, 4, 127),
        ] as [(String, UInt64, Int, UInt64)])
    func aPageOfAnotherLayoutIsNotWritten(
        _ name: String, offset: UInt64, count: Int, value: UInt64
    ) throws {
        let writer = try WitnessWriter(path: page.path)
        let request = try #require(writer.begin(url: "u", start: 0))
        let reader = try WitnessReader(path: page.path)
        #expect(reader.isWritten)
        try page.write(value, at: offset, count: count)
        #expect(!reader.isWritten && reader.phase == nil)
        #expect(reader.records.isEmpty)
        withExtendedLifetime(request) {}
    }

    @Test func slotsAreReadFromAnyPlaceOn() throws {
        let writer = try WitnessWriter(path: page.path)
        let requests = try (0..<5).map {
            try #require(writer.begin(url: "u", start: UInt64($0 * 10)))
        }
        let reader = try WitnessReader(path: page.path)
        #expect(reader.slots(from: 0).map { $0?.start } == [0, 10, 20, 30, 40])
        #expect(reader.slots(from: 3).map { $0?.start } == [30, 40])
        #expect(reader.slots(from: 5).isEmpty && reader.slots(from: 99).isEmpty)
        // One more request is counted, but its slot is not filled yet.
        try page.write(6, at: 32)
        #expect(reader.slots(from: 4).map { $0?.start } == [40, nil])
        withExtendedLifetime(requests) {}
    }

    @Test func aPhaseNotKnownHereIsUnknown() throws {
        let writer = try WitnessWriter(path: page.path)
        writer.enter(.receiving)
        let reader = try WitnessReader(path: page.path)
        #expect(reader.phase == .receiving)
        try page.write(10, at: 16, count: 4)
        #expect(reader.isWritten && reader.phase == nil)
    }

    @Test func aNewWriterErasesWhatTheLastOneWrote() throws {
        do {
            let writer = try WitnessWriter(path: page.path)
            writer.enter(.idle)
            writer.commitReturned()
            for _ in 0..<3 { writer.begin(url: "u", start: 0)?.receive(9) }
        }
        let reader = try WitnessReader(path: page.path)
        #expect(reader.records.count == 3)
        let next = try WitnessWriter(path: page.path)
        #expect(reader.phase == .starting && reader.commits == 0)
        #expect(reader.requestsBegun == 0 && reader.records.isEmpty)
        withExtendedLifetime(next) {}
    }

    @Test func aPageThatCannotBeMappedSaysWhichAndWhatToDo() throws {
        let path = page.path + "/not-a-folder/page"
        let error = try #require(throws: WitnessError.self) { try WitnessWriter(path: path) }
        #expect(error.description.contains(path))
        #expect(error.description.hasSuffix("name a writable file in RIG_WITNESS"))
        #expect(throws: WitnessError.self) { try WitnessReader(path: path) }
    }
}
