import RigModel
import Testing

@Suite struct SocketReadingTests {
    private func answer(_ taken: Range<Int64>, isUnderWay: Bool = true) -> TakenAnswer {
        TakenAnswer(taken: taken, isWhole: false, isUnderWay: isUnderWay, isBeingRead: false)
    }

    /// A worker that opened 32 requests for the same bytes was allowed to lose 32 thresholds.
    @Test func whatTwoRequestsTookCanBeLostOnce() {
        let reading = SocketReading(answers: [
            answer(0..<100), answer(50..<400), answer(50..<60), answer(390..<450),
            answer(900..<990, isUnderWay: false),
        ])
        #expect(reading.takenUnderWay == [100, 350, 10, 60])
        #expect(reading.distinctTakenUnderWay == [350, 50, 50, 0])
        #expect(SocketReading(unknown: "no kernel").distinctTakenUnderWay == nil)
    }
}
