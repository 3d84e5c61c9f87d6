import RigModel
import Testing

@Suite struct MetricUnitTests {
    @Test(arguments: [
        (0.0, "0 B"), (740, "740 B"), (1023, "1023 B"), (1024, "1.0 KB"), (505_037, "493.2 KB"),
        (524_288, "512.0 KB"), (1_048_575, "1.0 MB"), (9_961_472, "9.5 MB"),
        (1_073_741_823, "1.0 GB"), (5_000_000_000_000, "4656.6 GB"),
    ])
    func bytesForPeople(bytes: Double, text: String) {
        #expect(MetricUnit.readableBytes(bytes) == text)
    }

    @Test(arguments: [
        (0.0, "0.0 ms"), (0.0123, "12.3 ms"), (0.9994, "999.4 ms"), (0.9996, "1.00 s"),
        (1.2, "1.20 s"), (59.999, "1 min 0 s"), (125.4, "2 min 5 s"),
    ])
    func secondsForPeople(seconds: Double, text: String) {
        #expect(MetricUnit.readableSeconds(seconds) == text)
    }

    @Test(arguments: [
        (MetricUnit.count, 3.0, "3"), (.bytes, 524_289, "524289 (512.0 KB)"), (.bytes, 12, "12 B"),
        (.percent, 2.6134, "2.613 %"), (.fraction, 0.029513, "2.951 %"),
        (.seconds, 0.5, "500.0 ms"),
        (.bytes, 2048.5, "2048.5 (2.0 KB)"),
    ])
    func valuesKeepWhatALimitIsComparedWith(unit: MetricUnit, value: Double, text: String) {
        #expect(unit.text(value) == text)
    }

    @Test func aGateTellsItsFigures() {
        let result = GateResult(
            gate: "loss_percent <= 3", policy: "512KB", value: 2.5, limit: 3, unit: .percent,
            n: 100, interval: ConfidenceInterval(low: 2, high: nil), verdict: .holds)
        #expect(result.title == "loss_percent <= 3 [512KB]")
        #expect(
            result.figures
                == "is 2.500 %, limit 3.000 %, n 100, 95 % interval 2.000 % to unbounded")
        #expect(result.straddles)
    }

    // The half-width shrinks with the square root of n: from 0.5 to 0.1 takes 25 times as many.
    @Test(
        arguments: [
            (2.5, 2.0, 3.0, 2.6, 3_000), (2.5, 2, 3, 2.4, 3_000), (2.5, 2, 3, 2.9, 200),
            (2.5, 2, 3, 2.5, nil), (2.5, 2, 3, 2.500_000_1, nil), (2.5, 2, 3, 3.1, nil),
            (0, 0, 3, 1, nil), (3, 0, 3, 1, nil), (2.5, 2, nil, 3, nil),
        ] as [(Double, Double, Double?, Double, Int?)])
    func howManyRowsWouldDecide(
        value: Double, low: Double, high: Double?, limit: Double, rows: Int?
    ) {
        let result = GateResult(
            gate: "loss_percent <= 3", policy: "512KB", value: value, limit: limit, unit: .percent,
            n: 100, interval: ConfidenceInterval(low: low, high: high), verdict: .unknown)
        #expect(result.rowsToDecide == rows)
    }
}
