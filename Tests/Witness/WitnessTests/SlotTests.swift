import Testing
import Witness

/// Slots are reused once their request has ended, and never taken from an active one.
@Suite struct SlotTests {
    private let page: RawPage
    private let writer: WitnessWriter
    private let reader: WitnessReader

    init() throws {
        page = try RawPage()
        writer = try WitnessWriter(path: page.path)
        reader = try WitnessReader(path: page.path)
    }

    @Test func theLastRequestsReplaceTheFirst() throws {
        for ordinal in 1...1_500 as ClosedRange<UInt64> {
            let request = try #require(writer.begin(url: "u", start: ordinal * 10))
            request.receive(Int(ordinal))
            request.end()
        }
        #expect(reader.requestsBegun == 1_500)
        #expect(reader.records.map(\.ordinal) == Array(478...1_500))
        #expect(reader.records.allSatisfy { $0.received == $0.ordinal && !$0.isActive })
        #expect(reader.records.allSatisfy { $0.start == $0.ordinal * 10 })
    }

    @Test func anActiveRequestKeepsItsSlotWhileOthersGoRound() throws {
        let long = try #require(writer.begin(url: "long", start: 7))
        long.receive(11)
        for _ in 0..<1_500 { try #require(writer.begin(url: "short", start: 0)).end() }
        let first = try #require(reader.records.first)
        #expect(first.resource == WitnessLayout.resource(of: "long"))
        #expect((first.start, first.received, first.ordinal) == (7, 11, 1))
        #expect(first.isActive)
    }

    @Test func aFullPageTakesNoMoreUntilARequestEnds() throws {
        let requests = try (0..<1_023).map {
            try #require(writer.begin(url: "u", start: UInt64($0)))
        }
        #expect(writer.begin(url: "u", start: 1_000) == nil)
        // The request without a slot is counted, so that the page does not look complete.
        #expect(reader.requestsBegun == 1_024)

        requests[60].end()
        let next = try #require(writer.begin(url: "u", start: 2_000))
        #expect(try page.number(at: 256 + 128 * 60 + 56) == 2_000)
        #expect(writer.begin(url: "u", start: 3_000) == nil)
        withExtendedLifetime(next) {}
    }

    @Test func afterItsEndARequestIgnoresUpdates() throws {
        let request = try #require(writer.begin(url: "u", start: 0))
        request.receive(5)
        request.end()
        request.receive(5)
        request.acknowledge(upTo: 5)
        let record = try #require(reader.records.first)
        #expect((record.received, record.acknowledged) == (5, 0))
        #expect(!record.isActive)
    }

    /// A second end must not free the slot of the request that has reused it.
    ///
    /// A completion handler and a cancel can both end a request. The next request to begin then
    /// overwrote the slot of the active request, and lost its values.
    @Test func aSecondEndDoesNotFreeTheNextRequestsSlot() throws {
        let first = try #require(writer.begin(url: "u", start: 0))
        let others = try (1..<1_023).map { try #require(writer.begin(url: "u", start: UInt64($0))) }
        first.end()
        let heir = try #require(writer.begin(url: "heir", start: 0))
        first.end()
        #expect(writer.begin(url: "intruder", start: 0) == nil)
        #expect(reader.records.last?.resource == WitnessLayout.resource(of: "heir"))
        withExtendedLifetime((others, heir)) {}
    }
}
