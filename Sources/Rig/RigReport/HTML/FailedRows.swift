import RigModel

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
        return Fields([
            "count": Figure.counted(failed.count, run.unit),
            "isCut": listed.count < failed.count, "listed": Figure.count(listed.count),
            "left": Figure.count(failed.count - listed.count),
            "table": table(Array(listed), detailed: detailed.count).fields,
            "hasNoChoice": !run.hasBytes, "choiceOf": run.hasBytes ? "Policy" : "Program",
            "choices": run.summary.policies.map { policy in
                Fields(["choice": PageText.clipped(policy.policy, bytes: 200)])
            },
            "details": detailed.enumerated().map { details($1, index: $0) },
            "shown": Figure.count(detailed.count), "isShort": detailed.count < failed.count,
            "undetailed": Figure.count(failed.count - detailed.count),
        ])
    }

    private func table(_ rows: [IterationRow], detailed: Int) -> Table {
        let kills = !run.sparesWorkers
        let hasBytes = run.hasBytes
        return rows.table([
            .text("policy") { $0.policy }.clipped(80).when(hasBytes),
            .number("iteration") { "\($0.iteration)" }.ordered { Double($0.iteration) },
            .number("kill") { "\($0.kill)" }.ordered { Double($0.kill) }.when(kills),
            .text("trigger") { $0.trigger }.clipped(80).when(kills),
            .number("planned") { planned($0) }.ordered { Double($0.planned) }.when(kills),
            .text("killed while") { $0.phase?.activity }.when(kills && hasPhases),
            Self.bytes("received", \.receivedBytes).when(hasBytes),
            Self.bytes("lost", \.lostBytes).when(kills && hasBytes),
            Self.bytes("allowed", \.boundBytes).absent("none").when(kills && hasBytes),
            .prose("reason") { $0.reason }.clipped(240),
        ]).captioned("Rows that failed").linked { $0 < detailed ? "#failure-\($0 + 1)" : nil }
    }

    private static func bytes(
        _ title: String, _ bytes: @escaping (IterationRow) -> Int64?
    ) -> Table.Column<IterationRow> {
        .size(title, bytes).ordered { bytes($0).map(Double.init) }
    }

    /// False for a worker that is observed only from outside: its phases are not known.
    private var hasPhases: Bool { failed.contains { $0.phase != nil } }

    private static func short(_ text: String) -> String { PageText.clipped(text, bytes: 80) }

    private func planned(_ row: IterationRow) -> String {
        let text: String? =
            switch TriggerKind(rawValue: row.trigger) {
            case .bytes: Int64(row.planned).map { Figure.bytes($0) }
            case .time: Double(row.planned).map { Figure.percent($0 * 100, decimals: 1) }
            default: nil
            }
        return text ?? Self.short(row.planned)
    }

    private func details(_ row: IterationRow, index: Int) -> Fields {
        let identity = RowIdentity(row)
        let details = run.details[identity]
        let call = run.manifest.failingCallCommand(iteration: row.iteration, policy: row.policy)
        let log = details?.workerLog ?? ""
        let start = run.hasBytes ? "\(Self.short(row.policy)), iteration" : "Iteration"
        let moments = run.hasBytes ? Self.moments : Self.momentsOfProgram
        return Fields([
            "id": "failure-\(index + 1)",
            "heading": "\(start) \(row.iteration)\(row.isSpared ? "" : ", kill \(row.kill)")",
            "reason": PageText.clipped(row.reason, bytes: 1500),
            "replay": identity.replayCommand(folder: run.folder, isOnlyPolicy: !run.hasBytes),
            "replayID": "replay-\(index + 1)", "isOfCall": call != nil, "callCommand": call ?? "",
            "moments": moments(row, details?.resumption),
            "hasLog": !log.isEmpty, "log": PageText.clipped(log, bytes: 2500),
            "noLog": details?.workerLog == nil ? "no log was kept" : "the worker wrote nothing",
            "evidence": identity.evidencePath, "hasEvidence": details != nil,
        ])
    }

    private static func moment(_ name: String, _ time: String = "", _ note: String = "") -> Fields {
        Fields([
            "moment": name, "time": time, "timed": !time.isEmpty,
            "note": PageText.clipped(note, bytes: 600),
        ])
    }

    private static let relaunch = moment("relaunch", "", "time begins anew")

    /// The timeline of a row of a program that downloads nothing.
    private static func momentsOfProgram(
        _ row: IterationRow, _ resumption: Resumption?
    ) -> [Fields] {
        let (killed, ended) = (Figure.seconds(row.killSeconds), Figure.seconds(row.recoverySeconds))
        let kill = row.isSpared ? moment("left to finish") : moment("kill", killed, row.fault)
        let end = resumption.map { [relaunch, moment("ended", ended, $0.death.words)] }
        return [moment("launch", "0 s"), kill] + (end ?? []) + [moment("checked")]
    }

    private static func moments(_ row: IterationRow, _ resumption: Resumption?) -> [Fields] {
        let phase = row.phase.map { " while \($0.activity)" } ?? ""
        let held =
            "\(Figure.bytes(row.receivedBytes)) received, "
            + "\(Figure.bytes(row.acknowledgedBytes)) acknowledged"
        let killed = Figure.seconds(row.killSeconds)
        let lost = row.isSpared ? "" : ", \(Figure.bytes(row.lostBytes)) lost"
        return [
            moment("launch", "0 s"), moment("first byte", Figure.notKnown),
            row.isSpared
                ? moment("left to finish", "", held)
                : moment("kill", killed, "\(row.fault)\(phase), with \(held)"),
            relaunch,
            moment(
                row.isSpared ? "state read" : "recovered", Figure.seconds(row.recoverySeconds),
                "\(Figure.bytes(row.recoveredBytes)) found\(lost)"),
            moment(
                "first new byte", Figure.seconds(row.resumeSeconds),
                "\(Figure.bytes(row.refetchedBytes)) fetched again"),
            moment("completed", "", resumption?.ending ?? Figure.notKnown),
        ]
    }
}

extension Resumption {
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
