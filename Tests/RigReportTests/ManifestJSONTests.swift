import RigModel
import RigReport
import Testing

/// `manifest.json` keeps what a run was, and refuses what it was not.
struct ManifestJSONTests {
    private let manifest = Manifest(
        runID: "a-run", command: ["rig", "kill-test", "--gate", "lost_bytes <= 512KB"],
        versions: ["rig": "0.1.0"],
        machine: .init(
            system: "Debian", processor: "some", cores: 2, memoryBytes: 1 << 34,
            fileSystem: "ext4"),
        worker: "downloader", fault: .sigkill, workload: .download,
        plan: KillPlan(
            seed: .max, iterations: 3,
            policies: [
                Policy(threshold: ByteSize(bytes: 512 << 10)),
                Policy(threshold: nil, durability: .power),
            ], trigger: .random, videoLength: 10 << 20),
        video: .init(source: "fixture", length: 10 << 20, etag: "\"x\""), bandwidth: nil,
        gates: ["violations == 0"], startedAt: "2026-01-01T00:00:00Z")

    @Test func aManifestIsReadAsItWasWritten() throws {
        let text = try ManifestJSON.text(manifest)
        #expect(try ManifestJSON.read(text) == manifest)
        for name in ["run_id", "plan_digest", "file_system", "memory_bytes", "started_at"] {
            #expect(text.contains("\"\(name)\""))
        }
    }

    @Test func aPinnedMomentSurvives() throws {
        let plan = KillPlan(
            seed: 1, iterations: 1, policies: [Policy(threshold: nil)], trigger: .bytes,
            pinned: .bytes(5), videoLength: 100)
        let pinned = Manifest(
            runID: "b", command: [], versions: [:], machine: manifest.machine, worker: "w",
            fault: .sigkill, workload: .download, plan: plan, video: manifest.video,
            bandwidth: 20 << 20, gates: [], startedAt: "")
        #expect(try ManifestJSON.read(try ManifestJSON.text(pinned)) == pinned)
    }

    @Test func whatIsNoManifestOrAnotherPlansIsRefused() throws {
        let text = try ManifestJSON.text(manifest)
        #expect(throws: ManifestError.otherVersion(2)) {
            try ManifestJSON.read(text.replacing("\"schema\" : 1", with: "\"schema\" : 2"))
        }
        #expect(throws: ManifestError.otherPlan) {
            try ManifestJSON.read(text.replacing("\"iterations\" : 3", with: "\"iterations\" : 4"))
        }
        for iterations in ["0", "-3", "99999999999"] {
            #expect(throws: ManifestError.self) {
                try ManifestJSON.read(
                    text.replacing("\"iterations\" : 3", with: "\"iterations\" : \(iterations)"))
            }
        }
        for damaged in [
            "", "{}", "[1]", text.replacing("\"cores\" : 2", with: "\"cores\" : \"2\""),
        ] {
            #expect(throws: ManifestError.self) { try ManifestJSON.read(damaged) }
        }
    }
}
