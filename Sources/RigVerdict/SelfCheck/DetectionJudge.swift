package import RigModel

/// What the rows of a self-check's runs say of the rig.
package enum DetectionJudge {
    /// Looks for the first row in which a bug was caught by one of those who must.
    ///
    /// A row that fails for another reason alone is no catch: whoever finds something wrong for the
    /// wrong reason would find it without the bug, too.
    ///
    /// - Parameters:
    ///   - bug: the bug that the worker had.
    ///   - rows: the rows of all runs so far, in their order.
    ///   - tried: iterations so far.
    /// - Returns: what became of it as far as the rows go.
    package static func detection(
        of bug: PlantedBug, in rows: [IterationRow], tried: Int
    ) -> Detection {
        let failed = rows.enumerated().filter { $0.element.verdict == .fail }
        if let first = failed.first(where: {
            !$0.element.failedCheckers.isDisjoint(with: bug.checkers)
        }) {
            // Rows of a chain of kills belong to one iteration.
            let before = Set(rows[...first.offset].map { [$0.seed, UInt64($0.iteration)] })
            return Detection(
                bug: bug.name, outcome: .caught, iterations: before.count,
                checkers: ordered(first.element.failedCheckers.intersection(bug.checkers)),
                reason: first.element.reason)
        }
        let others = failed.reduce(into: Set<Checker>()) {
            $0.formUnion($1.element.failedCheckers)
        }
        return Detection(
            bug: bug.name, outcome: .missed, iterations: tried, checkers: ordered(others),
            reason: failed.first?.element.reason ?? "")
    }

    /// Summarises iterations without a bug.
    ///
    /// - Parameters:
    ///   - name: what was done with the worker.
    ///   - rows: their rows.
    ///   - mayBeInconclusive: false where nothing was done to the worker, so that everything but a
    ///     pass is a report.
    /// - Returns: the arm.
    package static func arm(
        _ name: String, rows: [IterationRow], mayBeInconclusive: Bool = true
    ) -> ControlArm {
        let reports = rows.filter {
            mayBeInconclusive ? $0.verdict == .fail : $0.verdict != .pass
        }
        return ControlArm(
            name: name, iterations: Set(rows.map(\.iteration)).count,
            inconclusive: rows.count { $0.verdict == .inconclusive },
            reports: reports.map { "iteration \($0.iteration): \($0.reason)" })
    }

    /// The null control: every kill under `disabled` must lose the running request (B2).
    package static func nullControl(rows: [IterationRow]) -> ControlArm {
        let survivors = rows.filter {
            $0.verdict == .fail || $0.verdict == .pass && ($0.lostBytes ?? 0) == 0
        }
        return ControlArm(
            name: "null control: disabled must lose everything",
            iterations: Set(rows.map(\.iteration)).count,
            inconclusive: rows.count { $0.verdict == .inconclusive },
            reports: survivors.map {
                "iteration \($0.iteration): "
                    + ($0.reason.isEmpty ? "lost nothing although nothing was saved" : $0.reason)
            })
    }

    private static func ordered(_ checkers: Set<Checker>) -> [Checker] {
        Checker.allCases.filter(checkers.contains)
    }
}
