import RigModel
import RigVerdict
import Testing

@Suite("A rig that checks itself")
struct DetectionJudgeTests {
    private let bug = PlantedBug(
        name: "flipped", environment: [:], options: [], checkers: [.integrity, .completion],
        iterations: 60)

    private func failed(_ iteration: Int, _ reason: String, kill: Int = 1) -> IterationRow {
        makeRow(iteration: iteration, verdict: .fail, reason: reason) { $0.kill = kill }
    }

    @Test("caught in the first iteration that one of its checkers fails")
    func caught() {
        let rows =
            makeRows(3) + [
                failed(4, "bound: too much"), failed(5, "integrity: a byte; resumption: again"),
                failed(6, "completion: wrong"),
            ]
        let detection = DetectionJudge.detection(of: bug, in: rows, tried: 10)
        #expect(detection.outcome == .caught)
        #expect(detection.iterations == 5)
        #expect(detection.checkers == [.integrity])
        #expect(detection.reason == "integrity: a byte; resumption: again")
    }

    @Test("kills in a row are one iteration")
    func chains() {
        let rows = (1...2).flatMap { iteration in
            (1...3).map { kill in makeRow(iteration: iteration) { $0.kill = kill } }
        }
        let detection = DetectionJudge.detection(
            of: bug, in: rows + [failed(3, "integrity: a byte", kill: 2)], tried: 10)
        #expect(detection.iterations == 3)
    }

    @Test("what fails for another reason alone is missed, and says so")
    func missed() {
        let rows = makeRows(3) + [failed(4, "bound: too much")]
        let detection = DetectionJudge.detection(of: bug, in: rows, tried: 10)
        #expect(detection.outcome == .missed)
        #expect(detection.iterations == 10)
        #expect(detection.checkers == [.bound])
        #expect(DetectionJudge.detection(of: bug, in: makeRows(3), tried: 3).checkers.isEmpty)
    }

    @Test("an arm without a bug reports what failed; one that was spared, all but passes")
    func arms() {
        let rows =
            makeRows(3) + [
                failed(4, "bound: too much"),
                makeRow(iteration: 5, verdict: .inconclusive, reason: "too early"),
            ]
        let killed = DetectionJudge.arm("killed", rows: rows)
        #expect(killed.iterations == 5 && killed.inconclusive == 1)
        #expect(killed.reports == ["iteration 4: bound: too much"])
        #expect(!killed.isClean)
        let spared = DetectionJudge.arm("spared", rows: rows, mayBeInconclusive: false)
        #expect(spared.reports.count == 2)
        #expect(DetectionJudge.arm("killed", rows: makeRows(3)).isClean)
        #expect(!DetectionJudge.arm("killed", rows: []).isClean, "nothing is no proof")
    }

    @Test("disabled must lose something at every kill")
    func nullControl() {
        let lost = makeRows(3, "disabled")
        #expect(DetectionJudge.nullControl(rows: lost).isClean)
        let kept = lost + [makeRow("disabled", iteration: 4, lost: 0)]
        #expect(DetectionJudge.nullControl(rows: kept).reports.count == 1)
        let survived =
            lost + [
                makeRow("disabled", iteration: 4, verdict: .fail, reason: "null-control: 5 bytes")
            ]
        #expect(
            DetectionJudge.nullControl(rows: survived).reports
                == ["iteration 4: null-control: 5 bytes"])
    }

    private func arm(_ reports: [String] = [], iterations: Int = 5) -> ControlArm {
        ControlArm(name: "arm", iterations: iterations, inconclusive: 0, reports: reports)
    }

    private func detection(_ outcome: Detection.Outcome) -> Detection {
        Detection(bug: "b", outcome: outcome, iterations: 1, checkers: [], reason: "")
    }

    @Test("what was not shown is not passed")
    func status() {
        func status(
            clean: ControlArm? = nil, control: ControlArm? = nil,
            _ outcomes: Detection.Outcome...
        ) -> RigModel.ExitStatus {
            SelfCheckReport(
                runID: "r", seed: 1, clean: [clean ?? arm()], nullControl: control ?? arm(),
                detections: outcomes.map(detection)
            ).status
        }
        #expect(status(.caught, .caught) == .success)
        #expect(status(.caught, .missed) == .gateFailed)
        #expect(status(.caught, .notRun("needs root")) == .inconclusive)
        #expect(status(.missed, .notRun("needs root")) == .gateFailed)
        #expect(status(clean: arm(["iteration 1: bound"]), .caught) == .gateFailed)
        #expect(status(clean: arm(iterations: 0), .caught) == .inconclusive)
        #expect(status(control: arm(["iteration 1: kept"]), .caught) == .failure)
    }
}
