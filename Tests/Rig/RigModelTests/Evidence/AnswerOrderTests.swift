import RigModel
import Testing

/// The kernel tells of connections in any order, so no figure may depend on it; of a page, the order
/// in which requests and evictions came is what matters.
@Suite struct AnswerOrderTests {
    private static func answer(
        _ taken: Range<Int64>, most: Int64? = nil, isWhole: Bool = false, isUnderWay: Bool = true
    ) -> TakenAnswer {
        TakenAnswer(
            taken: taken, mostTaken: most, isWhole: isWhole, isUnderWay: isUnderWay,
            isBeingRead: isUnderWay)
    }

    /// A small request within a large one has brought nothing that only it can lose.
    @Test(
        "each position counts once, for the largest answer that has it",
        arguments: [
            ([0..<600_000, 600_000..<600_010], [600_000, 10]),
            ([0..<100, 50..<60], [100, 0]), ([0..<100, 50..<200], [150, 50]),
            ([0..<100, 50..<60, 90..<130], [100, 30, 0]),
            ([0..<10, 20..<30, 5..<25], [20, 5, 5]),
            // Who opened 32 requests for the same bytes was allowed to lose 32 thresholds.
            ([0..<100, 50..<400, 50..<60, 390..<450], [350, 50, 50, 0]), ([0..<0, 3..<9], [6, 0]),
        ] as [([Range<Int64>], [Int64])])
    func distinct(ranges: [Range<Int64>], expected: [Int64]) {
        for order in orders(of: ranges) {
            let reading = SocketReading(answers: order.map { Self.answer($0) })
            #expect(reading.distinctTakenUnderWay?.sorted(by: >) == expected, "\(order)")
            #expect(
                reading.takenUnderWay?.sorted()
                    == ranges.map { $0.upperBound - $0.lowerBound }
                    .sorted())
        }
    }

    @Test func noFigureDependsOnTheOrder() {
        let answers = [
            Self.answer(0..<600_000), Self.answer(700_000..<700_010),
            Self.answer(900_000..<950_000, isWhole: true, isUnderWay: false),
            Self.answer(100_000..<200_000, most: 800_000, isUnderWay: false),
        ]
        for order in orders(of: answers) {
            let reading = SocketReading(answers: order)
            #expect(reading.taken?.ranges == [0..<600_000, 700_000..<700_010, 900_000..<950_000])
            #expect(reading.mayBeTaken.ranges == [600_000..<700_000, 700_010..<800_000])
            #expect(reading.mostTaken?.ranges == [0..<800_000, 900_000..<950_000])
            #expect(reading.received == nil, "one connection does not tell")
            #expect(reading.activeRequests == 2 && reading.requestsUnderWay == 2)
            #expect(reading.distinctTakenUnderWay?.sorted() == [10, 600_000])
        }
    }

    /// What an answer that was over had taken is no request's that is under way.
    @Test func answersThatAreOverHaveNoShare() {
        let over = Self.answer(0..<50, isWhole: true, isUnderWay: false)
        for order in orders(of: [over, Self.answer(0..<100), Self.answer(200..<210)]) {
            let reading = SocketReading(answers: order, activeRequests: 1)
            #expect(reading.distinctTakenUnderWay?.sorted() == [10, 100])
            #expect(reading.activeRequests == 1 && reading.requestsUnderWay == 2)
        }
        #expect(SocketReading(unknown: "no kernel").distinctTakenUnderWay == nil)
    }

    // MARK: evictions

    private static func page(
        _ requests: [Range<Int64>], evicted: Range<Int64>, after: Int
    ) -> WitnessReading {
        WitnessReading(
            phase: .idle, commits: 1,
            requests: requests.map {
                let count = $0.upperBound - $0.lowerBound
                return WitnessedRequest(
                    start: $0.lowerBound, received: count, acknowledged: count, isActive: false)
            }, evictions: [WitnessedEviction(range: evicted, requests: after)])
    }

    /// An eviction is of what came before it.
    @Test(
        arguments: [
            (0, [0..<100]), (1, [0..<100]), (2, [0..<20, 40..<100]),
        ] as [(Int, [Range<Int64>])])
    func whatIsFetchedAfterAnEvictionHasToBeThere(after: Int, left: [Range<Int64>]) {
        let ledger = EvictionLedger(
            Self.page([0..<60, 20..<100], evicted: 20..<40, after: after), stays: ByteRanges())
        #expect(ledger.acknowledged.ranges == left)
        #expect(ledger.received.ranges == left)
        #expect(ledger.broughtAgain.ranges == [20..<60])
        #expect(ledger.left(ofBaseline: ByteRanges([30..<50])).ranges == [40..<50])
    }

    @Test func whatWasEvictedAndIsThereIsNamedUnlessItWasFetchedAgain() {
        let there = ByteRanges([0..<100])
        let gone = EvictionLedger(
            Self.page([0..<60, 60..<100], evicted: 20..<40, after: 1), stays: there)
        #expect(gone.announcedAndThere.ranges == [20..<40])
        #expect(gone.acknowledged == there, "it stays")
        let again = EvictionLedger(
            Self.page([0..<60, 20..<100], evicted: 20..<40, after: 1), stays: there)
        #expect(again.announcedAndThere.isEmpty)
    }
}
