import RigModel
import RigVerdict
import Testing

@Suite struct GateParserTests {
    private typealias Reading = (
        text: String, policy: String?, metric: Metric, statistic: Statistic?,
        comparison: Comparison, limit: Double
    )

    private static let readings: [Reading] = [
        ("violations == 0", nil, .violations, nil, .equal, 0),
        (" violations==0 ", nil, .violations, nil, .equal, 0),
        ("corrupt_bytes == 0", nil, .corruptBytes, nil, .equal, 0),
        ("loss_percent <= 5", nil, .lossPercent, nil, .atMost, 5),
        ("loss_percent <= 5 %", nil, .lossPercent, nil, .atMost, 5),
        ("loss_percent.p95<2.5%", nil, .lossPercent, .p95, .below, 2.5),
        ("512KB:lost_bytes.max <= 512KB", "512KB", .lostBytes, .max, .atMost, 524_288),
        ("0.5mb : lost_bytes.median != 4096", "512KB", .lostBytes, .median, .notEqual, 4_096),
        ("lost_bytes <= 1.5MB", nil, .lostBytes, .max, .atMost, 1_572_864),
        ("disabled:corrupt_bytes.max == 0", "disabled", .corruptBytes, .max, .equal, 0),
        ("violation_rate.ucb95 < 1%", nil, .violationRate, .ucb95, .below, 0.01),
        ("violation_rate <= 0.01", nil, .violationRate, nil, .atMost, 0.01),
        ("recovery_seconds.p99 < 0.5", nil, .recoverySeconds, .p99, .below, 0.5),
        ("recovery_seconds.p99 < 500ms", nil, .recoverySeconds, .p99, .below, 0.5),
        ("resume_seconds.mean < 2 s", nil, .resumeSeconds, .mean, .below, 2),
        ("refetched_bytes.min > 1", nil, .refetchedBytes, .min, .above, 1),
        ("inconclusive_percent <= 10", nil, .inconclusivePercent, nil, .atMost, 10),
        ("phases_hit >= 2", nil, .phasesHit, nil, .atLeast, 2),
    ]

    @Test(arguments: readings.indices)
    func reads(index: Int) throws {
        let wanted = Self.readings[index]
        let gate = try Gate(wanted.text)
        #expect(gate.policy == wanted.policy && gate.metric == wanted.metric)
        #expect(gate.statistic == wanted.statistic && gate.comparison == wanted.comparison)
        #expect(gate.limit == wanted.limit)
    }

    @Test(arguments: [
        ("", "has no operator"),
        ("violations", "has no operator; write it as METRIC OP VALUE"),
        ("violations = 0", "has no operator that exists; use one of <= >= == != < >"),
        ("violations ! 0", "use one of <= >= == != < >"),
        ("== 0", "unknown metric ''; use one of violations, violation_rate"),
        ("los_percent <= 5", "unknown metric 'los_percent'; did you mean 'loss_percent'?"),
        ("Violations == 0", "unknown metric 'Violations'"),
        ("none:violations == 0", "names no policy before the colon"),
        (":violations == 0", "names no policy before the colon"),
        ("lost_bytes.p50 <= 5", "lost_bytes has no statistic 'p50'; use lost_bytes.min"),
        ("lost_bytes. <= 5", "lost_bytes has no statistic ''"),
        ("lost_bytes.ucb95 <= 5", "lost_bytes has no statistic 'ucb95'"),
        ("violations.max == 0", "violations has no statistic 'max'; leave it out"),
        ("violation_rate.p99 < 1%", "use violation_rate.ucb95"),
        ("recovery_seconds < 1", "say which statistic: recovery_seconds.min"),
        ("resume_seconds < 1", "say which statistic"),
        ("refetched_bytes < 1MB", "say which statistic"),
        ("violations == 0.5", "'0.5' is no value for violations; give a whole number"),
        ("violations == 5%", "give a whole number"),
        ("violations ==", "'' is no value"),
        ("violations == -1", "'-1' is no value"),
        ("violations === 0", "'= 0' is no value"),
        ("lost_bytes <= 5%", "give a size"),
        ("loss_percent <= nan", "give a percentage"),
        ("loss_percent <= -1", "give a percentage"),
        ("loss_percent <= inf", "give a percentage"),
        ("loss_percent <= 5KB", "give a percentage"),
        ("loss_percent <= .", "give a percentage"),
        ("loss_percent <= 1e3", "give a percentage"),
        ("loss_percent <= 0x10", "give a percentage"),
        ("violation_rate < 5", "give a rate of at most 1, such as 1% or 0.01"),
        ("violation_rate < 101%", "give a rate of at most 1"),
        ("recovery_seconds.p99 < 5m", "give a time"),
    ])
    func refuses(text: String, why: String) {
        let error = #expect(throws: RigError.self) { try Gate(text) }
        #expect(error?.status == .usage)
        #expect(error?.message.hasPrefix("gate '\(text)': ") ?? false)
        #expect(error?.message.contains(why) ?? false, "\(error?.message ?? "")")
    }

    @Test func theDefaultsAreWhatTheirTextSays() throws {
        #expect(
            Gate.defaults.map(\.text) == [
                "violations == 0", "corrupt_bytes == 0", "inconclusive_percent <= 10",
            ])
        for gate in Gate.defaults { #expect(try Gate(gate.text) == gate) }
    }
}
