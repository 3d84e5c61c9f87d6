import RigModel
import RigVerdict
import Testing

@Suite struct BootstrapTests {
    @Test func theSeedDecides() {
        let lost = (1...100).map { Double($0 * 7_919 % 524_288) }
        let once = Bootstrap.meanInterval(lost)
        #expect(once == Bootstrap.meanInterval(lost))
        #expect(once != Bootstrap.meanInterval(lost, seed: 1))
    }

    @Test func rowsThatAreAllAlikeLeaveNoDoubt() {
        let interval = Bootstrap.ratioInterval([1, 1, 1], over: [4, 4, 4])
        #expect(interval == ConfidenceInterval(low: 0.25, high: 0.25))
    }

    @Test func withoutRowsNothingIsKnown() {
        #expect(Bootstrap.meanInterval([]) == nil)
        #expect(Bootstrap.ratioInterval([1], over: [0]) == nil)
        #expect(Bootstrap.ratioInterval([1], over: [1, 2]) == nil)
    }
}
