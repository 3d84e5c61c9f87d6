import Fixture
import FixtureOrigin
import Foundation
import RigModel
import RigVerdict

@testable import RigLab

/// Any program as the worker of a separate laboratory.
struct ForeignWorker {
    let profile: WorkerProfile
    var videoLength: Int64 = 2 << 20
    var bytesPerSecond: Double?
    var patienceSeconds = 30.0
    var timeLimitSeconds = 60.0

    static let policy = Policy(threshold: ByteSize(bytes: 512 << 10))

    /// A shell script; `$1` is the URL, `$2` the state folder and `$3` the file to complete.
    static func script(
        _ text: String, bound: [Fault: LossBound] = [:], writesWitness: Bool = false
    ) -> ForeignWorker {
        ForeignWorker(
            profile: WorkerProfile(
                name: "script",
                command: ["/bin/sh", "-c", text, "sh", "{url}", "{dir}", "{output}"], bound: bound,
                writesWitness: writesWitness))
    }

    /// The settings of a laboratory for it.
    func settings(_ place: Workplace) throws -> LaboratorySettings {
        var spec = RunSpec()
        spec.timeLimit = timeLimitSeconds
        if profile.check != nil { spec.workload = .check }
        let video = Resource(
            source: try FixtureVideo(seed: 7, length: videoLength), bytesPerSecond: bytesPerSecond)
        return LaboratorySettings(
            spec, worker: profile, resources: [video], fileName: "video.mp4",
            scratch: place.path("scratch"),
            environment: ["no_proxy": "127.0.0.1", "NO_PROXY": "127.0.0.1"],
            patienceSeconds: patienceSeconds)
    }

    /// The rig's objection to the worker's unharmed life; nil if there is none.
    func objection(in place: Workplace) async throws -> RigError? {
        try await settings(place).inLaboratory { laboratory in
            do {
                try await laboratory.measureUninterrupted(Self.policy, runs: 1)
                return nil
            } catch let error as RigError {
                return error
            }
        }
    }

    /// Kills the worker once, at a planned byte, and returns the evidence.
    func kill(at byte: Int64, in place: Workplace) async throws -> IterationEvidence? {
        try await settings(place).oneKill(at: .bytes(byte))
    }
}

/// The path of an installed server; nil if it is not installed.
///
/// Not every user's `PATH` contains it.
func installedServer(_ name: String) -> String? {
    installed(name)
        ?? ["/usr/sbin/\(name)"].first { FileManager.default.isExecutableFile(atPath: $0) }
}

extension Workplace {
    /// The processes that have a file of this folder open, or its path in their environment.
    ///
    /// They include everything that a run in it has started, under any name: whatever mark a worker
    /// has dropped, it writes to its log.
    func processes() throws -> [pid_t] {
        let files = FileManager.default
        return try files.contentsOfDirectory(atPath: "/proc").compactMap(pid_t.init).filter {
            process in
            guard process != ProcessInfo.processInfo.processIdentifier,
                let state = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8),
                !state.contains(") Z ")
            else { return false }
            // A process that is exiting has no memory any more, and its files for a moment longer.
            guard let environment = files.contents(atPath: "/proc/\(process)/environ"),
                !environment.isEmpty
            else { return false }
            if environment.range(of: Data(url.path.utf8)) != nil { return true }
            let handles = "/proc/\(process)/fd"
            return ((try? files.contentsOfDirectory(atPath: handles)) ?? []).contains {
                let target = try? files.destinationOfSymbolicLink(atPath: "\(handles)/\($0)")
                return target?.hasPrefix(url.path) ?? false
            }
        }
    }
}
