import Fixture
import Foundation
import RigLab
import RigModel
import RigProfiles
import RigReport
import Testing

@testable import RigRun

/// A temporary folder that holds stored runs, removed at its end.
final class RunsFolder: Sendable {
    let path: String

    init() throws {
        path =
            FileManager.default.temporaryDirectory
            .appendingPathComponent("rig-run-\(UUID())").path
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// Stores a run of some settings, as the rig would have left it, with so many of its rows.
    @discardableResult
    func store(
        _ name: String, _ settings: RunSettings, rows count: Int? = nil,
        change: (inout [IterationRow]) -> Void = { _ in }
    ) throws -> StoredRun {
        let folder = try RunFolder(creating: "\(path)/\(name)")
        let video = try #require(try settings.video.local())
        let manifest = settings.manifest(
            runID: name, plan: try settings.plan(video: video), video: video,
            worker: settings.profile, folder: folder)
        var rows = Array(Self.rows(of: manifest).prefix(count ?? .max))
        change(&rows)
        try folder.write(try ManifestJSON.text(manifest), to: "manifest.json")
        try folder.write(IterationsCSV.text(rows), to: "iterations.csv")
        return try StoredRun(folder.path)
    }

    private static func rows(of manifest: Manifest) -> [IterationRow] {
        manifest.schedule.flatMap { planned in
            planned.kills.map {
                IterationRow(
                    runID: manifest.runID, plan: planned, kill: $0.kill, worker: manifest.worker,
                    workload: manifest.workload.rawValue, fault: manifest.fault,
                    verdict: .inconclusive, reason: "nothing had been received yet")
            }
        }
    }
}

let silence = Console.silent

func settings(
    seed: UInt64 = 7, iterations: Int = 4, thresholds: [Int64?] = [512 << 10],
    worker: String = WorkerProfile.referenceName
) throws -> RunSettings {
    var settings = RunSettings(
        profile: try Workers.named(worker),
        policies: thresholds.map { Policy(threshold: $0.map { ByteSize(bytes: $0) }) },
        seed: seed, startedAt: Date(timeIntervalSince1970: 0))
    settings.iterations = iterations
    settings.command = ["rig", "kill-test"]
    return settings
}

/// The message of an error with an exit code; nil if there is none.
func refusal(_ status: RigModel.ExitStatus, _ body: () throws -> Void) -> String? {
    do {
        try body()
        return nil
    } catch let error as RigError {
        #expect(error.status == status)
        return error.message
    } catch {
        Issue.record(error)
        return nil
    }
}
