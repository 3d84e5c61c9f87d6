import RigModel
import RigVerdict
import Testing

@Suite struct SortedSampleTests {
    @Test func anEmptySampleKnowsNothing() {
        let sample = SortedSample([Double]())
        #expect(sample.min == nil && sample.max == nil && sample.mean == nil)
        #expect(sample.median == nil)
        #expect(sample.percentile(50) == nil)
        #expect(sample.percentileInterval(50) == nil)
    }

    @Test func whatIsNoMeasurementIsLeftOut() {
        let sample = SortedSample([Double.nan, 2, .infinity, 1])
        #expect(sample.values == [1, 2] && sample.min == 1 && sample.max == 2)
    }
}
