import RigModel
import RigVerdict
import Testing

@Suite struct GateParserTests {
    struct Reading {
        let text: String
        var policy: String?
        let metric: Metric
        var statistic: Statistic?
        let comparison: Comparison
        let limit: Double
    }

    static let readings = [
        Reading(text: "violations == 0", metric: .violations, comparison: .equal, limit: 0),
        Reading(text: " violations==0 ", metric: .violations, comparison: .equal, limit: 0),
        Reading(text: "corrupt_bytes == 0", metric: .corruptBytes, comparison: .equal, limit: 0),
        Reading(text: "loss_percent <= 5", metric: .lossPercent, comparison: .atMost, limit: 5),
        Reading(text: "loss_percent <= 5 %", metric: .lossPercent, comparison: .atMost, limit: 5),
        Reading(
            text: "loss_percent.p95<2.5%", metric: .lossPercent, statistic: .p95,
            comparison: .below, limit: 2.5),
        Reading(
            text: "512KB:lost_bytes.max <= 512KB", policy: "512KB", metric: .lostBytes,
            statistic: .max, comparison: .atMost, limit: 524_288),
        Reading(
            text: "0.5mb : lost_bytes.median != 4096", policy: "512KB", metric: .lostBytes,
            statistic: .median, comparison: .notEqual, limit: 4_096),
        Reading(
            text: "lost_bytes <= 1.5MB", metric: .lostBytes, statistic: .max, comparison: .atMost,
            limit: 1_572_864),
        Reading(
            text: "disabled:corrupt_bytes.max == 0", policy: "disabled", metric: .corruptBytes,
            statistic: .max, comparison: .equal, limit: 0),
        Reading(
            text: "violation_rate.ucb95 < 1%", metric: .violationRate, statistic: .ucb95,
            comparison: .below, limit: 0.01),
        Reading(
            text: "violation_rate <= 0.01", metric: .violationRate, comparison: .atMost,
            limit: 0.01),
        Reading(
            text: "recovery_seconds.p99 < 0.5", metric: .recoverySeconds, statistic: .p99,
            comparison: .below, limit: 0.5),
        Reading(
            text: "recovery_seconds.p99 < 500ms", metric: .recoverySeconds, statistic: .p99,
            comparison: .below, limit: 0.5),
        Reading(
            text: "resume_seconds.mean < 2 s", metric: .resumeSeconds, statistic: .mean,
            comparison: .below, limit: 2),
        Reading(
            text: "refetched_bytes.min > 1", metric: .refetchedBytes, statistic: .min,
            comparison: .above, limit: 1),
        Reading(
            text: "inconclusive_percent <= 10", metric: .inconclusivePercent, comparison: .atMost,
            limit: 10),
        Reading(text: "phases_hit >= 2", metric: .phasesHit, comparison: .atLeast, limit: 2),
    ]

    @Test(arguments: readings.indices)
    func reads(index: Int) throws {
        let wanted = Self.readings[index]
        let gate = try Gate(wanted.text)
        #expect(gate.policy == wanted.policy)
        #expect(gate.metric == wanted.metric)
        #expect(gate.statistic == wanted.statistic)
        #expect(gate.comparison == wanted.comparison)
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
