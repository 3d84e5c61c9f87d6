import RigModel

/// The failed rows: a list to sort and filter, and the first ones in detail.
struct FailedRows {
    private let run: ReportedRun
    private let failed: [IterationRow]

    init(_ run: ReportedRun) {
        self.run = run
        failed = run.rows.filter { $0.verdict == .fail }
    }

    var isEmpty: Bool { failed.isEmpty }

    var fields: Fields {
        let detailed = ReportPage.detailed(failed)
        let listed = failed.prefix(ReportPage.mostFailures)
        let policies = run.summary.policies.map(\.policy)
        return Fields([
            "count": .text(Figure.counted(failed.count, run.unit)),
            "isCut": .flag(listed.count < failed.count),
            "listed": .text(Figure.count(listed.count)),
            "left": .text(Figure.count(failed.count - listed.count)),
            "table": .one(table(Array(listed), detailed: detailed.count).fields),
            "hasNoChoice": .flag(!run.hasBytes),
            "choiceOf": .text(run.hasBytes ? "Policy" : "Program"),
            "choices": .list(
                policies.map { Fields(["choice": .text(PageText.clipped($0, bytes: 200))]) }),
            "details": .list(detailed.enumerated().map { details($1, index: $0) }),
            "shown": .text(Figure.count(detailed.count)),
            "isShort": .flag(detailed.count < failed.count),
            "undetailed": .text(Figure.count(failed.count - detailed.count)),
        ])
    }

    private func table(_ rows: [IterationRow], detailed: Int) -> Table {
        let kills = !run.sparesWorkers
        let hasBytes = run.hasBytes
        return rows.table([
            .text("policy") { .string($0.policy) }.clipped(80).when(hasBytes),
            .number("iteration") { .string("\($0.iteration)") }
                .ordered { Double($0.iteration) },
            .number("kill") { .string("\($0.kill)") }.ordered { Double($0.kill) }.when(kills),
            .text("trigger") { .string($0.trigger) }.clipped(80).when(kills),
            .number("planned") { .string(planned($0)) }.ordered { Double($0.planned) }
                .when(kills),
            .text("killed while") { .string($0.phase?.activity) }.when(kills && hasPhases),
            Self.bytes("received", \.receivedBytes).when(hasBytes),
            Self.bytes("lost", \.lostBytes).when(kills && hasBytes),
            Self.bytes("allowed", \.boundBytes).absent("none").when(kills && hasBytes),
            .prose("reason") { .string($0.reason) }.clipped(240),
        ]).captioned("Rows that failed").linked { $0 < detailed ? "#failure-\($0 + 1)" : nil }
    }

    private static func bytes(
        _ title: String, _ bytes: @escaping (IterationRow) -> Int64?
    ) -> Table.Column<IterationRow> {
        .number(title) { .size(bytes($0)) }.ordered { bytes($0).map(Double.init) }
    }

    /// False for a worker that is observed only from outside: its phases are not known.
    private var hasPhases: Bool { failed.contains { $0.phase != nil } }

    private static func short(_ text: String) -> String { PageText.clipped(text, bytes: 80) }

    /// The planned moment in the unit of its trigger.
    private func planned(_ row: IterationRow) -> String {
        switch TriggerKind(rawValue: row.trigger) {
        case .bytes:
            Int64(row.planned).map { MetricUnit.readableBytes(Double($0)) }
                ?? Self.short(row.planned)
        case .time:
            Double(row.planned).map { Figure.percent($0 * 100, decimals: 1) }
                ?? Self.short(row.planned)
        default: Self.short(row.planned)
        }
    }

    private func details(_ row: IterationRow, index: Int) -> Fields {
        let identity = RowIdentity(row)
        let details = run.details[identity]
        let call = run.manifest.failingCallCommand(iteration: row.iteration, policy: row.policy)
        let log = details?.workerLog ?? ""
        return Fields([
            "id": .text("failure-\(index + 1)"),
            "heading": .text(
                "\(run.hasBytes ? Self.short(row.policy) + ", iteration" : "Iteration") "
                    + "\(row.iteration)"
                    + (row.isSpared ? "" : ", kill \(row.kill)")),
            "reason": .text(PageText.clipped(row.reason, bytes: 1500)),
            "replay": .text(
                identity.replayCommand(folder: run.folder, isOnlyPolicy: !run.hasBytes)),
            "replayID": .text("replay-\(index + 1)"),
            "isOfCall": .flag(call != nil), "callCommand": .text(call ?? ""),
            "moments": .list(
                run.hasBytes
                    ? Self.moments(row, details?.resumption)
                    : Self.momentsOfProgram(row, details?.resumption)),
            "hasLog": .flag(!log.isEmpty), "log": .text(PageText.clipped(log, bytes: 2500)),
            "noLog": .text(
                details?.workerLog == nil ? "no log was kept" : "the worker wrote nothing"),
            "evidence": .text(identity.evidencePath),
            "hasEvidence": .flag(details != nil),
        ])
    }

    /// The same of a program that downloads nothing.
    private static func momentsOfProgram(
        _ row: IterationRow, _ resumption: Resumption?
    ) -> [Fields] {
        let (killed, ended) = (Figure.seconds(row.killSeconds), Figure.seconds(row.recoverySeconds))
        let kill =
            row.isSpared ? moment("left to finish", "", "") : moment("kill", killed, row.fault)
        let relaunch = resumption.map {
            [moment("relaunch", "", "time begins anew"), moment("ended", ended, $0.death.words)]
        }
        return [moment("launch", "0 s", ""), kill] + (relaunch ?? []) + [moment("checked", "", "")]
    }

    /// The timeline of a row, as far as it is known.
    private static func moments(_ row: IterationRow, _ resumption: Resumption?) -> [Fields] {
        let phase = row.phase.map { " while \($0.activity)" } ?? ""
        let held =
            "\(Figure.bytes(row.receivedBytes)) received, "
            + "\(Figure.bytes(row.acknowledgedBytes)) acknowledged"
        let found = "\(Figure.bytes(row.recoveredBytes)) found"
        let lost = row.isSpared ? "" : ", \(Figure.bytes(row.lostBytes)) lost"
        return [
            moment("launch", "0 s", ""),
            moment("first byte", Figure.notKnown, ""),
            row.isSpared
                ? moment("left to finish", "", held)
                : moment(
                    "kill", Figure.seconds(row.killSeconds), "\(row.fault)\(phase), with \(held)"),
            moment("relaunch", "", "time begins anew"),
            moment(
                row.isSpared ? "state read" : "recovered", Figure.seconds(row.recoverySeconds),
                found + lost),
            moment(
                "first new byte", Figure.seconds(row.resumeSeconds),
                "\(Figure.bytes(row.refetchedBytes)) fetched again"),
            moment("completed", "", resumption?.ending ?? Figure.notKnown),
        ]
    }

    private static func moment(_ name: String, _ time: String, _ note: String) -> Fields {
        Fields([
            "moment": .text(name), "time": .text(time), "timed": .flag(!time.isEmpty),
            "note": .text(PageText.clipped(note, bytes: 600)),
        ])
    }
}

extension Resumption {
    /// How it ended, on one line.
    fileprivate var ending: String {
        guard !wasKilled else { return "no: it was killed in its turn" }
        let death =
            switch death {
            case .exited(let code): "exit code \(code)"
            case .signaled(let signal): "ended by signal \(signal)"
            }
        guard endedWell else { return "no: \(death)\(complaint.map { ": \($0)" } ?? "")" }
        if let cut { return "\(death); the file \(cut.words)" }
        return switch differingBytes {
        case nil: "\(death); its file was not compared"
        case 0: "\(death); the file equals the video"
        case .some(let bytes): "\(death); \(Figure.bytes(bytes)) of the file unlike the video"
        }
    }
}
