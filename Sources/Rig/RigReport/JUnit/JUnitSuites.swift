internal import RigModel

struct JUnitSuites {
    let run: ReportedRun
    private var summary: RunSummary { run.summary }
    private var manifest: Manifest { run.manifest }

    var all: [JUnitSuite] {
        let policies = summary.policies.map { policy in
            suite(
                policy.policy,
                [kills(of: policy)]
                    + summary.gates.filter { $0.policy == policy.policy }.map(gateCase))
        }
        let shared = summary.gates.filter { gate in
            !summary.policies.contains { $0.policy == gate.policy }
        }.map(gateCase)
        let isTold = (shared + policies.flatMap(\.cases)).contains(where: \.isTrouble)
        let whole = [completeness(isTold: isTold)] + shared
        // A program that downloads nothing has one suite: its policy says nothing.
        guard manifest.workload.hasBytes else {
            return [suite(nil, whole + policies.flatMap(\.cases))]
        }
        return [suite("all policies", whole)] + policies
    }

    private func failure(among rows: [IterationRow]) -> [String] {
        let part = ReportedRun(manifest: manifest, rows: rows, summary: summary, folder: run.folder)
        guard let failure = FailureBrief(part) else { return [] }
        return [
            failure.headline, "\(failure.kill), \(failure.reason)", "replay: \(failure.command)",
        ] + (failure.call?.lines ?? []).map { "\($0.label.lowercased()): \($0.text)" }
    }

    private func suite(_ part: String?, _ cases: [JUnitCase]) -> JUnitSuite {
        var about = [manifest.worker, manifest.workload.rawValue, manifest.fault.rawValue]
        if manifest.workload.hasBytes,
            manifest.plan.policies.contains(where: { $0.durability != .process })
        {
            about.append("durability \(Durability.power.rawValue)")
        }
        if let partition = manifest.partition { about.append(partition.text) }
        return JUnitSuite(
            name: about.joined(separator: ", ") + (part.map { ": \($0)" } ?? ""),
            className: Self.className(["rig"] + about + [part].compactMap(\.self)), cases: cases)
    }

    /// A class name of these parts: readers split at points, and some of them at slashes.
    static func className(_ parts: [String]) -> String {
        parts.map { part in
            String(part.map { $0 == "." || $0 == "/" || $0.isWhitespace ? "-" : $0 })
        }.joined(separator: ".")
    }

    /// The result of the whole run; passes if another case reports the failed or undecided part.
    private func completeness(isTold: Bool) -> JUnitCase {
        let isIncomplete = ![.success, .gateFailed, .inconclusive].contains(summary.status)
        let passes = summary.status == .success || (!isIncomplete && isTold)
        return JUnitCase(
            name: "run is complete",
            trouble: passes
                ? nil
                : JUnitCase.Trouble(
                    kind: .error, type: isIncomplete ? "incomplete" : "undecided",
                    message: summary.status.withCode,
                    details: summary.sentences.joined(separator: "\n")),
            output: "\(summary.rows) of \(summary.expectedRows) rows")
    }

    private func gateCase(_ gate: GateResult) -> JUnitCase {
        let trouble: JUnitCase.Trouble?
        switch gate.verdict {
        case .holds: trouble = nil
        case .fails:
            let rows = run.rows.filter { gate.policy == nil || $0.policy == gate.policy }
            trouble = JUnitCase.Trouble(
                kind: .failure, type: "gate", message: gate.figures,
                details: ([gate.title] + failure(among: rows)).joined(separator: "\n"))
        case .unknown:
            trouble = JUnitCase.Trouble(
                kind: .error, type: "gate", message: gate.figures, details: gate.title)
        }
        return JUnitCase(name: "gate \(gate.gate)", trouble: trouble, output: gate.figures)
    }

    private func kills(of policy: PolicySummary) -> JUnitCase {
        let counts =
            "\(policy.kills) kills: \(policy.passed) passed, \(policy.failed) failed, "
            + "\(policy.inconclusive) inconclusive"
        var trouble: JUnitCase.Trouble?
        if policy.failed > 0 {
            let rows = run.rows.filter { $0.policy == policy.policy }
            trouble = JUnitCase.Trouble(
                kind: .failure, type: "kills",
                message: "\(policy.failed) of \(policy.conclusive) kills failed",
                details: (failure(among: rows) + [counts]).joined(separator: "\n"))
        } else if policy.conclusive == 0 || policy.inconclusive * 2 > policy.kills {
            trouble = JUnitCase.Trouble(
                kind: .error, type: "kills",
                message: "\(policy.inconclusive) of \(policy.kills) kills prove nothing",
                details: counts)
        }
        return JUnitCase(
            name: manifest.plan.sparesWorkers ? "iterations without a kill" : "kills",
            trouble: trouble, output: counts)
    }
}
