import RigModel
import RigVerdict
import Testing

@Suite("A rig that checks itself")
struct DetectionJudgeTests {
    private let bug = PlantedBug(
        name: "flipped", options: [], checkers: [.integrity, .completion], iterations: 60)

    private func failed(_ iteration: Int, _ checkers: Checker..., kill: Int = 1) -> IterationRow {
        makeRow(iteration: iteration, verdict: .fail, checkers: Set(checkers)) { $0.kill = kill }
    }

    @Test("caught in the first iteration that one of its checkers fails")
    func caught() {
        let rows =
            makeRows(3) + [
                failed(4, .bound), failed(5, .integrity, .resumption),
                failed(6, .completion),
            ]
        let detection = DetectionJudge.detection(of: bug, in: rows, tried: 10)
        #expect(detection.state == .caught && detection.iterations == 5)
        #expect(detection.checkers == [.integrity])
        #expect(detection.reason == "integrity: too much; resumption: too much")
    }

    /// A rig that had crashed after its last kill had caught the bug, and the check ended with 0.
    @Test(
        "a run that did not end regularly shows nothing of its bug",
        arguments: [
            (70, .failure), (65, .data), (69, .inconclusive), (77, .inconclusive),
        ] as [(Int32, RigModel.ExitStatus)])
    func crashed(exitCode: Int32, status: RigModel.ExitStatus) throws {
        let rows = [failed(1, .integrity)]
        let whole = part(rows, exitCode: 99)
        #expect(DetectionJudge.notRun(bug, whole, tried: 0) == nil)
        let detection = try #require(
            DetectionJudge.notRun(bug, part(rows, exitCode: exitCode), tried: 0))
        #expect(detection.state == .notRun("what it said"))
        let report = SelfCheckReport(
            runID: "r", seed: 1, clean: [arm()], nullControl: arm(), detections: [detection])
        #expect(report.status == status)
        // A part of the rows shows nothing either.
        #expect(DetectionJudge.notRun(bug, part(rows, exitCode: 99, expected: 2), tried: 0) != nil)
    }

    /// The bug that only the null control finds was "not run: RIG FAILED".
    @Test("a null control that fails is what its bug has to show, a crash is not")
    func nullControlFound() {
        let own = PlantedBug(name: "saves", options: [], checkers: [.nullControl], iterations: 9)
        let rows = [failed(1, .nullControl)]
        #expect(DetectionJudge.notRun(own, part(rows, exitCode: 70), tried: 0) == nil)
        #expect(DetectionJudge.notRun(own, part(rows, exitCode: 139), tried: 0) != nil)
        #expect(DetectionJudge.notRun(own, part(rows, exitCode: 70, expected: 2), tried: 0) != nil)
        #expect(DetectionJudge.notRun(own, part(makeRows(1), exitCode: 70), tried: 0) != nil)
        #expect(DetectionJudge.notRun(bug, part(rows, exitCode: 70), tried: 0) != nil)
    }

    @Test("kills in a row are one iteration")
    func chains() {
        let rows = (1...2).flatMap { iteration in
            (1...3).map { kill in makeRow(iteration: iteration) { $0.kill = kill } }
        }
        let detection = DetectionJudge.detection(
            of: bug, in: rows + [failed(3, .integrity, kill: 2)], tried: 10)
        #expect(detection.iterations == 3)
    }

    @Test("what fails for another reason alone is missed, and says so")
    func missed() {
        let rows = makeRows(3) + [failed(4, .bound)]
        let detection = DetectionJudge.detection(of: bug, in: rows, tried: 10)
        #expect(detection.state == .missed && detection.iterations == 10)
        #expect(detection.checkers == [.bound])
        #expect(DetectionJudge.detection(of: bug, in: makeRows(3), tried: 3).checkers.isEmpty)
    }

    private func part(
        _ rows: [IterationRow], exitCode: Int32 = 0, expected: Int? = nil
    ) -> RunPart {
        makePart("part", rows, exitCode: exitCode, expected: expected ?? rows.count)
    }

    private func arm(
        _ name: String, _ rows: [IterationRow], mayBeInconclusive: Bool = true
    ) -> ControlArm {
        DetectionJudge.arm(
            name, part: part(rows), asked: rows.count, mayBeInconclusive: mayBeInconclusive)
    }

    private func nullControl(_ rows: [IterationRow]) -> ControlArm {
        DetectionJudge.nullControl(part: part(rows), asked: rows.count)
    }

    /// A check that had run one iteration of a hundred reported nothing, and ended with 0.
    @Test(
        "an arm that was cut short is unknown, and says why",
        arguments: [
            (130, 3, .inconclusive), (70, 3, .failure), (69, 3, .unavailable), (65, 3, .data),
            (97, 2, .incomplete), (0, 2, .inconclusive), (64, 0, .inconclusive),
        ] as [(Int32, Int, RigModel.ExitStatus)])
    func cutShort(exitCode: Int32, count: Int, status: RigModel.ExitStatus) {
        let cut = part(makeRows(count, "disabled"), exitCode: exitCode, expected: 3)
        let whole = arm("whole", makeRows(3))
        for (clean, control) in [
            (DetectionJudge.arm("cut", part: cut, asked: 3), whole),
            (DetectionJudge.arm("cut", part: cut, asked: 3, mayBeInconclusive: false), whole),
            (whole, DetectionJudge.nullControl(part: cut, asked: 3)),
        ] {
            let report = SelfCheckReport(
                runID: "r", seed: 1, clean: [clean], nullControl: control, detections: [])
            #expect(report.status == status)
            #expect([clean, control].compactMap(\.failure).count == 1)
        }
    }

    @Test("an arm of fewer iterations than were asked for is unknown")
    func tooFew() {
        let few = DetectionJudge.arm("few", part: part(makeRows(3)), asked: 4)
        #expect(!few.isClean)
        #expect(few.failure?.line == "part: 3 of 4 iterations are there")
        #expect(!DetectionJudge.nullControl(part: part(makeRows(3, "disabled")), asked: 4).isClean)
    }

    @Test("an arm without a bug reports what failed; one that was spared, all but passes")
    func arms() {
        let rows =
            makeRows(3) + [
                failed(4, .bound),
                makeRow(iteration: 5, verdict: .inconclusive, reason: "too early"),
            ]
        let killed = arm("killed", rows)
        #expect(killed.iterations == 5 && killed.inconclusive == 1)
        #expect(killed.reports == ["iteration 4: bound: too much"])
        #expect(!killed.isClean)
        let spared = arm("spared", rows, mayBeInconclusive: false)
        #expect(spared.reports.count == 2)
        #expect(arm("killed", makeRows(3)).isClean)
        #expect(!arm("killed", []).isClean, "nothing is no proof")
    }

    @Test("disabled must lose something at every kill")
    func nullControl() {
        let lost = makeRows(3, "disabled")
        #expect(nullControl(lost).isClean)
        let kept = lost + [makeRow("disabled", iteration: 4, lost: 0)]
        #expect(nullControl(kept).reports.count == 1)
        let survived =
            lost + [
                makeRow(
                    "disabled", iteration: 4, verdict: .fail, reason: "null-control: 5 bytes",
                    checkers: [.nullControl])
            ]
        #expect(nullControl(survived).reports == ["iteration 4: null-control: 5 bytes"])
    }

    /// On a busy machine a kill came after the last byte, and before the output had its name: what
    /// a request has is saved when it ends, `disabled` or not, and the control said that the rig is
    /// broken.
    @Test("a kill after the last byte proves nothing about disabled")
    func nullControlAtTheEnd() {
        let whole = (1...2).map { number in
            makeRow("disabled", iteration: number, lost: 0, received: 10 << 20)
        }
        let control = nullControl(
            makeRows(3, "disabled").map { row in row.with { $0.iteration += 2 } } + whole)
        #expect(control.isClean && control.inconclusive == 2)
        #expect(!nullControl(whole).isClean, "nothing is no proof")
        // A video of which it is not known how long it is excuses nothing.
        let unknown = makePart("part", whole, expected: nil)
        #expect(DetectionJudge.nullControl(part: unknown, asked: 2).reports.count == 2)
    }

    private func arm(_ reports: [String] = [], iterations: Int = 5) -> ControlArm {
        ControlArm(name: "arm", iterations: iterations, inconclusive: 0, reports: reports)
    }

    private func detection(_ state: Detection.State) -> Detection {
        Detection(bug: "b", state: state, iterations: 1, checkers: [], reason: "")
    }

    @Test("what was not shown is not passed")
    func status() {
        func status(
            clean: ControlArm? = nil, control: ControlArm? = nil, _ states: Detection.State...
        ) -> RigModel.ExitStatus {
            SelfCheckReport(
                runID: "r", seed: 1, clean: [clean ?? arm()], nullControl: control ?? arm(),
                detections: states.map(detection)
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
