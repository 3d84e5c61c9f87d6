import Foundation
import RigModel
import Testing

@testable import RigLab

/// Each kill of an iteration keeps its own state, and its evidence holds that and no other (B6).
@Suite struct StateOfEachKillTests {
    private let folder: TemporaryFolder
    private let iteration: IterationFolder
    private let run: RunFolder
    private let files = FileManager.default

    init() throws {
        folder = try TemporaryFolder()
        iteration = try IterationFolder(creating: folder.file("1"))
        run = try RunFolder(creating: folder.file("run"))
    }

    private func write(_ text: String, to path: String) throws {
        try text.write(toFile: path, atomically: false, encoding: .utf8)
    }

    private func text(_ path: String) throws -> String {
        try String(contentsOfFile: path, encoding: .utf8)
    }

    /// Three launches, each of which overwrites a file, adds one and says a line.
    private func kills() throws {
        var log = ""
        for kill in 1...3 {
            iteration.launches.noteLaunch()
            log += "launch \(kill)\n"
            try write(log, to: iteration.log)
            try write("kill \(kill)", to: "\(iteration.state)/index")
            try write("kill \(kill)", to: "\(iteration.state)/part-\(kill)")
            try write("calls \(kill)", to: iteration.storageLog(ofKill: kill))
            try iteration.keepState(ofKill: kill)
        }
        // What is kept is not what a later launch makes of it.
        try write("relaunched", to: "\(iteration.state)/index")
    }

    private func row(_ kill: Int) -> IterationRow {
        let kills = (1...3).map {
            PlannedKill(kill: $0, trigger: .bytes(Int64($0)), delaySeconds: 0)
        }
        return IterationRow(
            runID: "r",
            plan: PlannedIteration(
                iteration: 4, policy: Policy(threshold: nil), kills: kills, seed: 1),
            kill: kill, worker: "w", workload: "download", fault: .sigkill, verdict: .fail,
            reason: "bound: too much")
    }

    @Test func eachKillHasItsOwnCopy() throws {
        try kills()
        for kill in 1...3 {
            let copy = iteration.keptState(ofKill: kill).folder
            #expect(copy == iteration.stateCopy(ofKill: kill))
            #expect(try text("\(copy)/index") == "kill \(kill)")
            #expect(
                try files.contentsOfDirectory(atPath: copy).sorted()
                    == ["index"] + (1...kill).map { "part-\($0)" })
        }
        #expect(try text("\(iteration.restingState.folder)/index") == "relaunched")
    }

    /// A state that is kept again, as of another image of a power cut, replaces the first copy.
    @Test func aStateThatIsKeptAgainReplacesTheCopy() throws {
        try kills()
        try iteration.keepState(ofKill: 1)
        #expect(try text("\(iteration.stateCopy(ofKill: 1))/index") == "relaunched")
        #expect(try text("\(iteration.stateCopy(ofKill: 2))/index") == "kill 2")
    }

    @Test(arguments: [[1, 2, 3], [2, 1, 3], [3, 2], [2]])
    func theEvidenceOfAKillHoldsItsState(order: [Int]) throws {
        try kills()
        for kill in order {
            try run.keepEvidence(
                of: row(kill), from: iteration, withState: true, texts: ["plan.json": "\(kill)"])
        }
        #expect(
            try files.contentsOfDirectory(atPath: "\(run.path)/evidence").sorted()
                == order.sorted().map { "disabled-4-\($0)" })
        for kill in order {
            let kept = "\(run.path)/evidence/disabled-4-\(kill)"
            #expect(try text("\(kept)/state/index") == "kill \(kill)")
            #expect(try text("\(kept)/storage.log") == "calls \(kill)")
            #expect(try text("\(kept)/plan.json") == "\(kill)")
            // The log is one for all kills, and each has the launches up to its own.
            #expect(try text("\(kept)/worker.log") == "launch 1\nlaunch 2\nlaunch 3\n")
            #expect(try text("\(kept)/launch-\(kill).log") == "launch \(kill)\n")
            #expect(!files.fileExists(atPath: "\(kept)/launch-\(kill + 1).log"))
        }
    }

    @Test func withoutTheStateOnlyTheTextsAreKept() throws {
        try kills()
        try run.keepEvidence(of: row(2), from: iteration, withState: false, texts: ["a": "b"])
        #expect(
            try files.contentsOfDirectory(atPath: "\(run.path)/evidence/disabled-4-2").sorted()
                == ["a", "launch-1.log", "launch-2.log", "worker.log"])
        #expect(try text("\(iteration.stateCopy(ofKill: 2))/index") == "kill 2")
    }

    /// The name by which a row's evidence is found is the one under which it was kept.
    @Test func theEvidenceIsWhereTheRowSays() throws {
        try kills()
        for kill in 1...3 {
            try run.keepEvidence(of: row(kill), from: iteration, withState: true, texts: [:])
            let identity = RowIdentity(row(kill))
            #expect(try text("\(run.path)/\(identity.evidencePath)/state/index") == "kill \(kill)")
            let command = identity.replayCommand(folder: "run")
            #expect(
                command == "rig replay run --iteration 4 --policy disabled"
                    + (kill > 1 ? " --kill \(kill)" : ""))
        }
    }
}
