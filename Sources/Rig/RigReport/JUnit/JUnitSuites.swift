internal import RigModel

struct JUnitSuites {
    let run: ReportedRun
    private var summary: RunSummary { run.summary }
    private var manifest: Manifest { run.manifest }

    /// The suite of the run, and one per policy.
    var all: [JUnitSuite] {
        let policies = policySuites
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

    /// What failed among these rows, in which kill, why, and the command that repeats it; empty if
    /// nothing did.
    private func failure(among rows: [IterationRow]) -> [String] {
        let part = ReportedRun(
            manifest: manifest, rows: rows, summary: summary, folder: run.folder)
        guard let failure = FailureBrief(part) else { return [] }
        return [
            failure.headline, "\(failure.kill), \(failure.reason)",
            "replay: \(failure.command)",
        ] + (failure.call?.lines ?? []).map { "\($0.label.lowercased()): \($0.text)" }
    }

    private var policySuites: [JUnitSuite] {
        summary.policies.map { policy in
            suite(
                policy.policy,
                [kills(of: policy)]
                    + summary.gates.filter { $0.policy == policy.policy }.map(gateCase))
        }
    }

    // MARK: names

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
            className: (["rig"] + about + [part].compactMap(\.self)).map(Self.classPart)
                .joined(separator: "."),
            cases: cases)
    }

    /// One part of a class name: readers split at points, and some of them at slashes.
    static func classPart(_ text: String) -> String {
        String(text.map { $0 == "." || $0 == "/" || $0.isWhitespace ? "-" : $0 })
    }

    // MARK: cases

    /// The result of the whole run; passes if another case reports the failed or undecided part.
    private func completeness(isTold: Bool) -> JUnitCase {
        let word = StatusText.line(summary.status)
        let details = summary.sentences.joined(separator: "\n")
        let status: JUnitCase.Status
        switch summary.status {
        case .success: status = .passed
        case .gateFailed, .inconclusive:
            status =
                isTold ? .passed : .undecided(type: "undecided", message: word, details: details)
        default: status = .undecided(type: "incomplete", message: word, details: details)
        }
        return JUnitCase(
            name: "run is complete", status: status,
            output: "\(summary.rows) of \(summary.expectedRows) rows")
    }

    /// The rows that a gate judges.
    private func rows(of gate: GateResult) -> [IterationRow] {
        run.rows.filter { gate.policy == nil || $0.policy == gate.policy }
    }

    private func gateCase(_ gate: GateResult) -> JUnitCase {
        let status: JUnitCase.Status =
            switch gate.verdict {
            case .holds: .passed
            case .fails:
                .failed(
                    type: "gate", message: gate.figures,
                    details: ([gate.title] + failure(among: rows(of: gate)))
                        .joined(separator: "\n"))
            case .unknown: .undecided(type: "gate", message: gate.figures, details: gate.title)
            }
        return JUnitCase(name: "gate \(gate.gate)", status: status, output: gate.figures)
    }

    private func kills(of policy: PolicySummary) -> JUnitCase {
        let counts =
            "\(policy.kills) kills: \(policy.passed) passed, \(policy.failed) failed, "
            + "\(policy.inconclusive) inconclusive"
        let status: JUnitCase.Status
        if policy.failed > 0 {
            status = .failed(
                type: "kills", message: "\(policy.failed) of \(policy.conclusive) kills failed",
                details: (failure(among: run.rows.filter { $0.policy == policy.policy }) + [counts])
                    .joined(separator: "\n"))
        } else if policy.conclusive == 0 || policy.inconclusive * 2 > policy.kills {
            status = .undecided(
                type: "kills",
                message: "\(policy.inconclusive) of \(policy.kills) kills prove nothing",
                details: counts)
        } else {
            status = .passed
        }
        return JUnitCase(
            name: manifest.plan.sparesWorkers ? "iterations without a kill" : "kills",
            status: status, output: counts)
    }
}
