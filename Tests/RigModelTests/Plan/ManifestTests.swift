import RigModel
import Testing

/// The command that repeats a kill says everything that the run was told.
struct ManifestTests {
    private func manifest(
        _ workload: Workload, settings: [String: String], bandwidth: Int64?
    ) -> Manifest {
        Manifest(
            runID: "r", command: [], versions: [:],
            machine: .init(
                system: "", processor: "", cores: 1, memoryBytes: 1, fileSystem: "ext4"),
            worker: "downloader", fault: .sigkill, workload: workload, settings: settings,
            plan: KillPlan(
                seed: 9, iterations: 2, policies: [Policy(threshold: ByteSize(bytes: 512 << 10))],
                trigger: .bytes, videoLength: 5 << 20),
            video: .init(source: "fixture", length: 1 << 20, etag: ""), bandwidth: bandwidth,
            gates: [], startedAt: "")
    }

    @Test func aReplayNamesWorkloadAndSettings() throws {
        let manifest = manifest(.switching, settings: ["storage": "file"], bandwidth: 32 << 20)
        let command = manifest.replayCommand(try #require(manifest.plan.schedule.first))
        #expect(command.contains("--workload switching --set 'storage=file'"))
        // The size of each video, not of all together.
        #expect(command.contains("--video-size 1048576"))
        #expect(command.hasSuffix("--bandwidth 33554432/s"))
    }

    @Test func aReplayOfADownloadIsAsItWas() throws {
        let manifest = manifest(.download, settings: [:], bandwidth: nil)
        let command = manifest.replayCommand(try #require(manifest.plan.schedule.first))
        #expect(!command.contains("--workload") && !command.contains("--set"))
        #expect(manifest.settings == nil)
    }
}
