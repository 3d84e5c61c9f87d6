import Fixture
import FixtureOrigin
import Foundation
import RigModel
import RigVerdict

@testable import RigLab

/// Any program as the worker of a laboratory of its own.
struct ForeignWorker {
    let profile: WorkerProfile
    var videoLength: Int64 = 2 << 20
    var bytesPerSecond: Double?
    var patienceSeconds = 30.0
    var timeLimitSeconds = 60.0

    static let policy = Policy(threshold: ByteSize(bytes: 512 << 10))

    /// A script for the shell, which finds the URL in `$1`, the state folder in `$2` and the file to
    /// be completed in `$3`.
    static func script(_ text: String) -> ForeignWorker {
        ForeignWorker(
            profile: WorkerProfile(
                name: "script",
                command: ["/bin/sh", "-c", text, "sh", "{url}", "{dir}", "{output}"]
            ))
    }

    /// Does something in a laboratory, and then stops its origin.
    func inLaboratory<Value: Sendable>(
        _ place: Workplace, _ body: @Sendable (Laboratory) async throws -> Value
    ) async throws -> Value {
        let origin = FixtureOrigin()
        try await origin.start()
        let laboratory = Laboratory(
            settings: LaboratorySettings(
                worker: profile,
                resource: Resource(
                    source: try FixtureVideo(seed: 7, length: videoLength),
                    bytesPerSecond: bytesPerSecond),
                fileName: "video.mp4", scratch: place.path("scratch"),
                environment: ["no_proxy": "127.0.0.1", "NO_PROXY": "127.0.0.1"],
                patienceSeconds: patienceSeconds, timeLimitSeconds: timeLimitSeconds),
            origin: origin, interruption: Interruption(), isSound: Judge.isSound)
        let result: Result<Value, any Error>
        do {
            result = .success(try await body(laboratory))
        } catch {
            result = .failure(error)
        }
        await origin.stop()
        return try result.get()
    }

    /// What the rig says to the worker's life that nobody harms; nil when it is as it should be.
    func objection(in place: Workplace) async throws -> RigError? {
        try await inLaboratory(place) { laboratory in
            do {
                try await laboratory.measureUninterrupted(Self.policy, runs: 1)
                return nil
            } catch let error as RigError {
                return error
            }
        }
    }

    /// Kills the worker once, at a planned byte, and gives what was observed.
    func kill(at byte: Int64, in place: Workplace) async throws -> IterationEvidence? {
        try await inLaboratory(place) { laboratory in
            let outcome = try await laboratory.perform(
                PlannedIteration(
                    iteration: 1, policy: Self.policy, trigger: .bytes(byte), delaySeconds: 0,
                    seed: 1))
            return outcome.kills.first
        }
    }
}

/// Where a server is installed; nil where it is not.
///
/// Not every user's path leads there.
func installedServer(_ name: String) -> String? {
    installed(name)
        ?? ["/usr/sbin/\(name)"].first { FileManager.default.isExecutableFile(atPath: $0) }
}

extension Workplace {
    /// The processes that hold a file of this place open, or have its path in their environment:
    /// whatever a run in it has started, under whatever name.
    func processes() throws -> [pid_t] {
        let files = FileManager.default
        return try files.contentsOfDirectory(atPath: "/proc").compactMap(pid_t.init).filter {
            process in
            guard process != ProcessInfo.processInfo.processIdentifier,
                let state = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8),
                !state.contains(") Z ")
            else { return false }
            let environment = files.contents(atPath: "/proc/\(process)/environ") ?? Data()
            if environment.range(of: Data(url.path.utf8)) != nil { return true }
            let handles = "/proc/\(process)/fd"
            return ((try? files.contentsOfDirectory(atPath: handles)) ?? []).contains {
                let target = try? files.destinationOfSymbolicLink(atPath: "\(handles)/\($0)")
                return target?.hasPrefix(url.path) ?? false
            }
        }
    }
}
