package import RigModel

package enum DetectionJudge {
    /// The first of the rows, of so many tried, in which one of the bug's own checkers caught it:
    /// others might report the row without the bug, too.
    package static func detection(
        of bug: PlantedBug, in rows: [IterationRow], tried: Int
    ) -> Detection {
        let failed = rows.enumerated().filter { $0.element.verdict == .fail }
        if let first = failed.first(where: {
            !$0.element.checkers.isDisjoint(with: bug.checkers)
        }) {
            // Rows of a chain of kills belong to one iteration.
            let before = Set(rows[...first.offset].map { [$0.seed, UInt64($0.iteration)] })
            return Detection(
                bug: bug.name, state: .caught, iterations: before.count,
                checkers: ordered(first.element.checkers.intersection(bug.checkers)),
                reason: first.element.reason)
        }
        let others = failed.reduce(into: Set<Checker>()) { $0.formUnion($1.element.checkers) }
        return Detection(
            bug: bug.name, state: .missed, iterations: tried, checkers: ordered(others),
            reason: failed.first?.element.reason ?? "")
    }

    /// A bug of which a run did not end regularly, whatever its rows show; nil where it did.
    package static func notRun(_ bug: PlantedBug, _ part: RunPart, tried: Int) -> Detection? {
        guard let failure = part.failure(seeking: bug.checkers) else { return nil }
        var detection = Detection(
            bug: bug.name, state: .notRun(part.complaint), iterations: tried, checkers: [],
            reason: "")
        detection.failure = failure
        return detection
    }

    /// Iterations without a bug; of an undisturbed worker everything but a pass is a report.
    package static func arm(
        _ name: String, part: RunPart, asked: Int, mayBeInconclusive: Bool = true
    ) -> ControlArm {
        let reports = part.rows.filter {
            mayBeInconclusive ? $0.verdict == .fail : $0.verdict != .pass
        }
        return arm(
            name, part: part, asked: asked,
            reports: reports.map { "iteration \($0.iteration): \($0.reason)" })
    }

    /// Every kill under `disabled` must lose the running request (B2), unless that was at its end
    /// (S2).
    package static func nullControl(part: RunPart, asked: Int) -> ControlArm {
        func isDone(_ row: IterationRow) -> Bool {
            row.verdict == .pass && row.receivedBytes != nil
                && row.receivedBytes == part.videoLength
        }
        let survivors = part.rows.filter {
            $0.verdict == .fail || $0.verdict == .pass && ($0.lostBytes ?? 0) == 0 && !isDone($0)
        }
        return arm(
            "null control: disabled must lose everything", part: part, asked: asked,
            provesNothing: part.rows.count(where: isDone),
            reports: survivors.map {
                "iteration \($0.iteration): "
                    + ($0.reason.isEmpty ? "lost nothing although nothing was saved" : $0.reason)
            })
    }

    /// An arm with fewer iterations than requested is unknown, even if all are clean.
    private static func arm(
        _ name: String, part: RunPart, asked: Int, provesNothing: Int = 0, reports: [String]
    ) -> ControlArm {
        let iterations = Set(part.rows.map(\.iteration)).count
        let short = PartFailure(
            part: part.name, reason: "\(iterations) of \(asked) iterations are there",
            status: .inconclusive)
        return ControlArm(
            name: name, iterations: iterations,
            inconclusive: part.rows.count { $0.verdict == .inconclusive } + provesNothing,
            reports: reports, failure: part.failure ?? (iterations == asked ? nil : short))
    }

    private static func ordered(_ checkers: Set<Checker>) -> [Checker] {
        Checker.allCases.filter(checkers.contains)
    }
}
