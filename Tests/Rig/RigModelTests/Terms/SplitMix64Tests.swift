import RigModel
import Testing

@Suite struct SplitMix64Tests {
    // The values that Vigna's splitmix64.c prints; the first five are on Rosetta Code too.
    @Test(
        arguments: [
            (
                1_234_567,
                [
                    6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423,
                    4_593_380_528_125_082_431, 16_408_922_859_458_223_821,
                ]
            ),
            (0, [0xE220_A839_7B1D_CDAF, 0x6E78_9E6A_A1B9_65F4, 0x06C4_5D18_8009_454F]),
        ] as [(UInt64, [UInt64])])
    func givesTheReferenceSequence(seed: UInt64, expected: [UInt64]) {
        var random = SplitMix64(seed: seed)
        #expect(expected.map { _ in random.next() } == expected)
    }

    @Test func unitIsTheTop53BitsAsAFraction() {
        var bits = SplitMix64(seed: 7)
        var units = SplitMix64(seed: 7)
        for _ in 0..<1_000 {
            let unit = units.unit()
            #expect(unit == Double(bits.next() >> 11) / 9_007_199_254_740_992)
            #expect((0..<1).contains(unit))
        }
    }
}
