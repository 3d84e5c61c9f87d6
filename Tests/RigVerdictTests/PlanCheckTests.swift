import RigModel
import RigVerdict
import Testing

/// Rows of another run, or of no run, are not judged as if they were the run's own.
@Suite struct PlanCheckTests {
    private let manifest = Manifest(
        runID: "run", command: ["rig"], versions: [:],
        machine: .init(
            system: "", processor: "", cores: 1, memoryBytes: 1, fileSystem: "ext4"),
        worker: "downloader", fault: .sigkill, workload: .download,
        plan: KillPlan(
            seed: 7, iterations: 4,
            policies: [Policy(threshold: ByteSize(bytes: 524_288)), Policy(threshold: nil)],
            trigger: .random, videoLength: 10_485_760),
        video: .init(source: "fixture", length: 10_485_760, etag: ""), bandwidth: nil, gates: [],
        startedAt: "")

    private var rows: [IterationRow] {
        manifest.plan.schedule.map {
            IterationRow(
                runID: "run", plan: $0, kill: 1, worker: "downloader", workload: "download",
                fault: .sigkill, verdict: .inconclusive, reason: "nothing had been received yet")
        }
    }

    private func message(_ rows: [IterationRow]) -> String? {
        do {
            try PlanCheck.check(rows, against: manifest)
            return nil
        } catch {
            #expect(error.status == .data)
            return error.message
        }
    }

    @Test func theRowsOfThePlanAreTaken() {
        #expect(message(rows) == nil)
        #expect(message(rows.dropLast(3)) == nil)
        #expect(message(rows.reversed()) == nil)
        #expect(message([]) == nil)
    }

    static let changes: [(column: String, change: @Sendable (inout IterationRow) -> Void)] = [
        ("run_id", { $0.runID = "another" }),
        ("policy", { $0.policy = "1MB" }),
        ("iteration", { $0.iteration = 5 }),
        ("iteration", { $0.iteration = 0 }),
        ("iteration", { $0.iteration = .max }),
        ("kill", { $0.kill = 2 }),
        ("worker", { $0.worker = "curl" }),
        ("workload", { $0.workload = "playback" }),
        ("fault", { $0.fault = "power-cut" }),
        ("trigger", { $0.trigger = "phase" }),
        ("planned", { $0.planned = "1" }),
        ("planned", { $0.planned = "" }),
        ("seed", { $0.seed += 1 }),
        ("received_bytes", { $0.receivedBytes = 10_485_761 }),
        ("acknowledged_bytes", { $0.acknowledgedBytes = 10_485_761 }),
        ("recovered_bytes", { $0.recoveredBytes = 10_485_761 }),
        ("lost_bytes", { $0.lostBytes = 10_485_761 }),
    ]

    @Test(arguments: changes.indices)
    func aRowThatIsNotOfThePlanIsNamed(index: Int) {
        let (column, change) = Self.changes[index]
        var rows = rows
        change(&rows[2])
        let text = message(rows)
        #expect(text?.hasPrefix("iterations.csv: row 3, column \(column): ") ?? false)
        #expect(text?.contains("; restore the file") ?? false)
    }

    @Test func aRowOfAnotherIterationInTheNameOfOneIsCaught() {
        var rows = rows
        rows[0].iteration = 2
        #expect(message(rows) != nil)
    }

    @Test func aRowThatIsThereTwiceIsCaught() {
        let text = message(rows + [rows[1]])
        #expect(
            text?.contains(
                "row 9, column iteration: kill 1 of iteration 1 of disabled is there already")
                ?? false)
    }
}
