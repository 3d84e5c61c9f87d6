import RigModel
import Testing

@Suite struct GraceTests {
    @Test(arguments: [
        ("5s", 5000, 5000), ("200ms", 200, 200), ("0-50ms", 0, 50), ("0ms-2s", 0, 2000),
        ("0s", 0, 0), ("60s", 60_000, 60_000),
    ])
    func aGraceIsReadAndWritten(text: String, least: Int, most: Int) throws {
        let grace = try #require(Grace(text))
        #expect(grace.least == least)
        #expect(grace.most == most)
        #expect(Grace(grace.text) == grace)
    }

    @Test(arguments: [
        "", "5", "s", "-5s", "5s-", "50-0ms", "61s", "1-2-3s", "5 s", "5m", "0-50", "1.5s",
        "99999999999999999999s", "9999999999999999s",
    ])
    func otherTextIsNone(text: String) {
        #expect(Grace(text) == nil)
        #expect(FaultChoice("term:\(text)")?.mistake == text)
    }

    /// The same seed gives the same grace, and the graces of a run fill the range.
    @Test func itFollowsFromTheSeed() throws {
        let grace = try #require(Grace("0-50ms"))
        let drawn = (0..<1000).map { grace.seconds(seed: $0, kill: 1) }
        #expect(drawn == (0..<1000).map { grace.seconds(seed: $0, kill: 1) })
        #expect(drawn.allSatisfy { (0...0.05).contains($0) })
        #expect((0.023...0.027).contains(drawn.reduce(0, +) / 1000))
        #expect(grace.seconds(seed: 1, kill: 1) != grace.seconds(seed: 1, kill: 2))
        #expect(Grace.standard.seconds(seed: 1, kill: 1) == 5)
    }

    @Test func onlyOneFaultHasOne() {
        #expect(FaultChoice("sigkill:5s") == nil)
        #expect(FaultChoice("none") == nil)
        #expect(FaultChoice("term")?.grace == nil)
        #expect(FaultChoice("term:0-50ms")?.grace?.text == "0-50ms")
        #expect(Fault.term.text(Grace("200ms")) == "term:200ms")
    }
}
