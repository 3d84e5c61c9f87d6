package import RigModel

/// A run's figures in the text format of OpenMetrics 1.0, for Prometheus and similar systems.
///
/// All names begin with `rig_`. Unknown figures have no sample: a missing figure is never 0.
/// `rig_gate_holds` is 1 only for a gate that holds; `rig_gate_verdict` distinguishes failed from
/// undecided gates. The histograms cover conclusive kills that know the figure.
package enum OpenMetrics {
    /// Upper ends of the buckets of lost bytes, from the smallest used threshold to a whole video.
    package static let byteBounds: [Double] = [
        0, 65_536, 131_072, 262_144, 524_288, 1_048_576, 2_097_152, 4_194_304, 8_388_608,
        16_777_216, 67_108_864, 268_435_456,
    ]
    /// Upper ends of the buckets of seconds.
    package static let secondBounds: [Double] = [
        0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30,
    ]

    /// The whole exposition, including its end mark.
    ///
    /// - Parameters:
    ///   - summary: the run's summary.
    ///   - rows: its rows.
    ///   - manifest: its manifest.
    /// - Returns: the text of the exposition, with lines ended by LF.
    package static func text(
        _ summary: RunSummary, rows: [IterationRow], manifest: Manifest
    ) -> String {
        let families =
            run(summary, manifest) + counters(summary, manifest)
            + figures(summary, manifest) + histograms(summary, rows, manifest)
            + gates(summary.gates)
        return families.map(\.text).joined() + "# EOF\n"
    }

    private static func run(_ summary: RunSummary, _ manifest: Manifest) -> [MetricFamily] {
        var info = MetricFamily("rig_run", .info, "What the run was.")
        let facts: [(name: String, value: String?)] = [
            ("run_id", summary.runID), ("worker", manifest.worker),
            ("workload", manifest.workload.rawValue), ("fault", manifest.fault.rawValue),
            ("trigger", manifest.plan.trigger.rawValue), ("seed", String(summary.seed)),
            ("plan_digest", manifest.planDigest), ("partition", manifest.partition?.text),
            ("started_at", manifest.startedAt), ("host", manifest.machine.host),
            ("system", manifest.machine.system), ("file_system", manifest.machine.fileSystem),
            ("rig", manifest.versions["rig"]), ("sqlite", manifest.versions["sqlite"]),
        ]
        info.add(facts.compactMap { name, value in value.map { (name, $0) } }, 1)
        var code = MetricFamily("rig_run_exit_code", .gauge, "The exit code; 0: every gate holds.")
        code.add([], Double(summary.status.rawValue))
        var rows = MetricFamily("rig_run_rows", .gauge, "Kills that there are.")
        rows.add([], Double(summary.rows))
        var expected = MetricFamily(
            "rig_run_expected_rows", .gauge, "Kills that the plan asks for.")
        expected.add([], Double(summary.expectedRows))
        return [info, code, rows, expected]
    }

    // MARK: policies

    private static func labels(_ policy: String, _ manifest: Manifest) -> MetricFamily.Labels {
        [
            ("policy", policy), ("worker", manifest.worker),
            ("workload", manifest.workload.rawValue), ("fault", manifest.fault.rawValue),
        ]
    }

    private static func counters(_ summary: RunSummary, _ manifest: Manifest) -> [MetricFamily] {
        var kills = MetricFamily("rig_kills", .counter, "Kills by what they show.")
        var phases = MetricFamily(
            "rig_phase_kills", .counter, "Conclusive kills by the phase that they landed in.")
        var violations = MetricFamily(
            "rig_violations", .counter, "Kills that broke a promise of the worker's.")
        var unjudged = MetricFamily(
            "rig_not_judged", .counter, "Conclusive kills by the checker that could not look.")
        var bare = MetricFamily(
            "rig_kept_nothing", .counter, "Kills after which nothing at all was kept.")
        var lives = MetricFamily("rig_attempts", .counter, "Lives that were begun.")
        for policy in summary.policies {
            let labels = labels(policy.policy, manifest)
            for (verdict, count) in [
                (Verdict.pass, policy.passed), (.fail, policy.failed),
                (.inconclusive, policy.inconclusive),
            ] {
                kills.add(labels + [("verdict", verdict.rawValue)], Double(count))
            }
            for stratum in policy.strata where stratum.isInReach || stratum.kills > 0 {
                let phase = stratum.phase?.rawValue ?? "not known"
                phases.add(labels + [("phase", phase)], Double(stratum.kills))
            }
            violations.add(labels, policy.conclusive > 0 ? Double(policy.violations) : nil)
            for checker in Checker.allCases {
                guard let count = policy.notJudgedBy[checker] else { continue }
                unjudged.add(labels + [("checker", checker.rawValue)], Double(count))
            }
            bare.add(labels, policy.conclusive > 0 ? Double(policy.keptNothing) : nil)
            lives.add(labels, policy.kills > 0 ? Double(policy.attempts) : nil)
        }
        let sums: [(String, String, (PolicySummary) -> Int64?)] = [
            ("received", "taken off the worker's sockets", \.receivedBytes),
            ("recovered", "found after the kill, equal to the origin's", \.recoveredBytes),
            ("lost", "received and not recovered", \.lostBytes),
            ("refetched", "requested again by the relaunched worker", \.refetchedBytes),
            ("corrupt", "unlike the origin's", { $0.kills > 0 ? $0.corruptBytes : nil }),
        ]
        return [kills, phases, violations, unjudged, bare, lives]
            + sums.map { name, help, value in
                var family = MetricFamily(
                    "rig_\(name)_bytes", .counter, unit: "bytes", "Bytes \(help).")
                for policy in summary.policies where policy.kills > 0 {
                    family.add(
                        labels(policy.policy, manifest), value(policy).map { Double($0) })
                }
                return family
            }
    }

    private static func figures(_ summary: RunSummary, _ manifest: Manifest) -> [MetricFamily] {
        let figures: [(String, String, String, (PolicySummary) -> Double?)] = [
            (
                "rig_loss_ratio", "ratio", "Lost bytes per received byte.",
                { $0.lossPercent.map { $0 / 100 } }
            ),
            (
                "rig_allowed_loss_ratio", "ratio",
                "Bytes that the bound allows to be lost, per received byte.",
                { $0.allowedLossPercent.map { $0 / 100 } }
            ),
            (
                "rig_violation_ratio_upper_bound", "", "One-sided 95 % upper bound of violations.",
                \.violationRateUCB95
            ),
            (
                "rig_bound_bytes", "bytes", "What a kill may cost.",
                { $0.boundBytes.map { Double($0) } }
            ),
        ]
        return figures.map { name, unit, help, value in
            var family = MetricFamily(name, .gauge, unit: unit.isEmpty ? nil : unit, help)
            for policy in summary.policies {
                family.add(labels(policy.policy, manifest), value(policy))
            }
            return family
        }
    }

    private static func histograms(
        _ summary: RunSummary, _ rows: [IterationRow], _ manifest: Manifest
    ) -> [MetricFamily] {
        let kinds: [(String, String, String, [Double], (IterationRow) -> Double?)] = [
            (
                "rig_kill_lost_bytes", "bytes", "Bytes lost per kill.", byteBounds,
                { $0.lostBytes.map { Double($0) } }
            ),
            (
                "rig_recovery_seconds", "seconds",
                "From the relaunch until the worker knows what it has.", secondBounds,
                \.recoverySeconds
            ),
            (
                "rig_resume_seconds", "seconds", "From the relaunch until the first new byte.",
                secondBounds, \.resumeSeconds
            ),
        ]
        let conclusive = Dictionary(
            grouping: rows.filter { $0.verdict != .inconclusive }, by: \.policy)
        return kinds.map { name, unit, help, bounds, value in
            var family = MetricFamily(name, .histogram, unit: unit, help)
            for policy in summary.policies {
                let values = (conclusive[policy.policy] ?? []).compactMap(value)
                guard !values.isEmpty else { continue }
                family.add(labels(policy.policy, manifest), values, bounds: bounds)
            }
            return family
        }
    }

    // MARK: gates

    private static func gates(_ results: [GateResult]) -> [MetricFamily] {
        var holds = MetricFamily(
            "rig_gate_holds", .gauge, "1: the gate holds; 0: it fails, or cannot be decided.")
        var verdict = MetricFamily("rig_gate_verdict", .stateset, "What became of the gate.")
        var value = MetricFamily("rig_gate_value", .gauge, "What was measured, in the gate's unit.")
        var limit = MetricFamily("rig_gate_limit", .gauge, "What it was compared with.")
        for result in results {
            let labels: MetricFamily.Labels =
                [("gate", result.gate)] + (result.policy.map { [("policy", $0)] } ?? [])
            holds.add(labels, result.verdict == .holds ? 1 : 0)
            for state in GateVerdict.allCases {
                verdict.add(
                    labels + [("rig_gate_verdict", state.rawValue)],
                    state == result.verdict ? 1 : 0)
            }
            let measured = labels + [("unit", result.unit.rawValue)]
            value.add(measured, result.value)
            limit.add(measured, result.limit)
        }
        return [holds, verdict, value, limit]
    }
}
