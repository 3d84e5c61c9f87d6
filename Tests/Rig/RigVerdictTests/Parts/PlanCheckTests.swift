import RigModel
import RigVerdict
import Testing

/// Rows of another run, or of no run, are not judged as the run's own.
@Suite struct PlanCheckTests {
    private let manifest = makeManifest(
        KillPlan(
            seed: 7, iterations: 4,
            policies: [Policy(threshold: ByteSize(bytes: 524_288)), Policy(threshold: nil)],
            trigger: .random, videoLength: 10_485_760))

    private var rows: [IterationRow] {
        manifest.plan.schedule.map {
            IterationRow(
                runID: "run", plan: $0, kill: 1, worker: "downloader", workload: "download",
                fault: .sigkill, verdict: .inconclusive, reason: "nothing had been received yet")
        }
    }

    private func message(_ rows: [IterationRow], of manifest: Manifest? = nil) -> String? {
        refusal { try PlanCheck.check(rows, against: manifest ?? self.manifest) }
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

    // MARK: Parts

    @Test func aMergedRowNamesTheRunOfItsPart() throws {
        let maker = PartMaker()
        let join = try PartsJoin([maker.part(1, of: 3), maker.part(2, of: 3)], expected: nil)
        var rows = join.rows
        rows[0].runID = rows[2].runID
        let other = message(rows, of: join.manifest)
        #expect(other?.contains("row 1, column run_id: 'run-2'") == true)
        // The part with the third iteration is missing.
        rows = join.rows
        rows[0] = try maker.part(3, of: 3).rows[0]
        let missing = message(rows, of: join.manifest)
        #expect(missing?.contains("3 is in none of the parts") == true)
    }

    /// A call fails in the first launch of a chain, and no bound is promised there; the launches
    /// after it are killed.
    @Test(
        arguments: [
            (1, Fault.callError, nil, true), (1, .sigkill, nil, false),
            (1, .callError, 4096, false),
            (2, .sigkill, 4096, true), (2, .callError, nil, false), (2, .sigkill, nil, false),
            (3, .sigkill, 4096, true),
        ] as [(Int, Fault, Int64?, Bool)])
    func aChainThatBeginsWithAFailingCall(
        kill: Int, fault: Fault, bound: Int64?, isOfIt: Bool
    ) throws {
        var refinement = KillPlan.Refinement()
        refinement.kills = 3
        let plan = KillPlan(
            seed: 7, iterations: 4, policies: [Policy(threshold: ByteSize(bytes: 524_288))],
            trigger: .syscall, pinned: .syscall(CallMoment(ordinal: 2, edge: .before)),
            videoLength: 10_485_760, refinement: refinement)
        let worker = WorkerProfile(name: "curl", command: ["curl"], bound: [.sigkill: .bytes(4096)])
        let chains = makeManifest(plan, RunSpec(profile: worker, fault: .callError), worker: "curl")
        #expect(chains.faults == [.callError, .sigkill])
        var row = IterationRow(
            runID: "run", plan: plan.iteration(1, policy: plan.policies[0]), kill: kill,
            worker: "curl", workload: "download", fault: fault, verdict: .pass, reason: "")
        row.boundBytes = bound
        #expect((message([row], of: chains) == nil) == isOfIt)
    }

    // MARK: Any worker

    private func foreign(
        _ bound: LossBound?, bandwidth: Int64? = nil, hasInspection: Bool = false,
        hasWitness: Bool = false
    ) -> Manifest {
        let worker = WorkerProfile(
            name: "curl", command: ["curl"], bound: bound.map { [.sigkill: $0] } ?? [:],
            writesWitness: hasWitness,
            inspection: hasInspection ? .file(PartialFile(path: "{output}")) : nil)
        return makeManifest(
            manifest.plan, RunSpec(profile: worker), worker: "curl", bandwidth: bandwidth)
    }

    private func problem(
        _ manifest: Manifest, policy: Int = 0, change: (inout IterationRow) -> Void
    ) -> String? {
        let planned = manifest.plan.iteration(1, policy: manifest.plan.policies[policy])
        var row = IterationRow(
            runID: "run", plan: planned, kill: 1, worker: "curl", workload: "download",
            fault: .sigkill, verdict: .pass, reason: "")
        change(&row)
        return message([row], of: manifest)
    }

    @Test func theBoundIsTheProfiles() {
        for policy in [0, 1] {
            #expect(problem(foreign(.bytes(4096)), policy: policy) { $0.boundBytes = 4096 } == nil)
            #expect(problem(foreign(nil), policy: policy) { $0.boundBytes = nil } == nil)
        }
        let paced = foreign(.seconds(2), bandwidth: 1000)
        #expect(problem(paced) { $0.boundBytes = 2000 } == nil)
        #expect(problem(foreign(.seconds(2))) { $0.boundBytes = nil } == nil)
        let requests = foreign(.threshold)
        #expect(
            problem(requests) {
                $0.boundBytes = 2 * 524_288
                $0.activeRequests = 2
            } == nil)
    }

    @Test func anotherBoundThanTheProfilesIsCaught() {
        let wrong: [String?] = [
            problem(foreign(.bytes(4096))) { $0.boundBytes = 4097 },
            problem(foreign(.bytes(4096))) { $0.boundBytes = nil },
            problem(foreign(nil)) { $0.boundBytes = 4096 },
            problem(foreign(.seconds(2), bandwidth: 1000)) { $0.boundBytes = 1 << 30 },
            problem(foreign(.seconds(2))) { $0.boundBytes = 1 },
            problem(foreign(.threshold)) { $0.boundBytes = nil },
            problem(foreign(.threshold)) {
                $0.boundBytes = 2 * 524_288
                $0.activeRequests = 1
            },
        ]
        for text in wrong {
            #expect(text?.contains("column bound_bytes: ") ?? false, "\(text ?? "-")")
        }
        let unknown = problem(foreign(.threshold)) { $0.notJudged = [.bound] }
        #expect(unknown == nil)
    }

    @Test func aPassShowsWhatItsLevelShows() {
        let witness = problem(foreign(nil, hasWitness: true)) { $0.acknowledgedBytes = nil }
        #expect(witness?.contains("column acknowledged_bytes") ?? false)
        let inspected = problem(foreign(nil, hasInspection: true)) { $0.integrity = nil }
        #expect(inspected?.contains("column integrity") ?? false)
        let both = foreign(nil, hasInspection: true, hasWitness: true)
        #expect(
            problem(both) {
                $0.acknowledgedBytes = 1
                $0.integrity = true
            } == nil)
    }
}
