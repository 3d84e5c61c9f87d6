import Foundation
import RigModel
import RigReport
import Testing

/// `manifest.json` keeps all facts of a run, and a damaged one is refused.
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

    /// Every key of a profile, with values that are also names of keys.
    private static let profile = WorkerProfile(
        name: "w", about: "a worker", command: ["w", "{url}"],
        server: WorkerServer(command: ["s"], ready: .url("http://127.0.0.1:{port}/")),
        files: ["{dir}/some_file": "text"], environment: ["SOME_NAME": "a", "someName": "b"],
        needs: ["aria2c"], packages: ["aria2c": "aria2"], export: ["w"], completed: "{dir}/v",
        bound: [.sigkill: .bytes(4096), .powerCutTorn: .seconds(1.5), .oom: .threshold],
        boundSource: "its buffer", writesWitness: true, proxy: ["w", "proxy"],
        library: .init(
            refreshForever: ["w"], refresh: ["w", "{times}"], database: "l", list: "A",
            presence: "B", images: "i"),
        inspection: .file(
            PartialFile(path: "p", length: .query(database: "{dir}/d", sql: "SELECT 1"))),
        settings: ["some_key": ["{some_key}"]], defaults: ["slice": "1m"], variables: ["V"],
        plantedBugs: PlantedBugs(program: "w-with-bugs", variable: "V", bugs: [bug]),
        isDocumented: true, revalidates: true, writable: ["/w"], workingDirectory: "tools")

    private static let bug = PlantedBug(
        name: "b", options: ["--trigger", "time"], checkers: [.nullControl], iterations: 5)

    @Test func theWorkersProfileSurvives() throws {
        var stored = stored(Self.profile)
        stored.workingDirectory = "/project"
        let text = try ManifestJSON.text(stored)
        #expect(try ManifestJSON.read(text) == stored)
        #expect(text.contains("\"power-cut-torn\" : \"1.5s\""), "\(text)")
    }

    private func stored(_ profile: WorkerProfile) -> Manifest {
        Manifest(
            runID: "c", command: [], versions: [:], machine: manifest.machine, worker: "w",
            profile: profile, workerOption: "./w.yml", fault: .sigkill, plan: manifest.plan,
            video: manifest.video, bandwidth: nil, gates: [], startedAt: "")
    }

    /// Runs of earlier versions have the planted bugs under another key.
    @Test func theBugsOfAnEarlierVersionAreRead() throws {
        var json = try parsed(try ManifestJSON.text(stored(Self.profile)))
        var profile = try #require(json["profile"] as? [String: Any])
        profile["planted_bugs"] = nil
        profile["sabotages"] = [
            [
                "name": "b", "environment": ["V": "b"], "options": ["--trigger", "time"],
                "checkers": ["null-control"], "iterations": 5,
            ] as [String: Any]
        ]
        json["profile"] = profile
        let former = try ManifestJSON.read(
            String(decoding: JSONSerialization.data(withJSONObject: json), as: UTF8.self))
        let planted = former.profile?.plantedBugs
        #expect(planted == PlantedBugs(program: nil, variable: "V", bugs: [Self.bug]))
    }

    private func merged(
        _ indices: [(Int, Int)], partition: RunPartition? = nil
    ) throws -> Manifest {
        let parts = try indices.map {
            MergedPart(
                partition: try #require(RunPartition(index: $0.0, of: $0.1)), runID: "e",
                host: "h", startedAt: "", copies: 2)
        }
        return makeRunManifest(plan: manifest.plan, partition: partition, parts: parts)
    }

    @Test func partsSurvive() throws {
        let whole = try merged([(1, 3), (3, 3)])
        #expect(try ManifestJSON.read(try ManifestJSON.text(whole)) == whole)
        var part = whole.with(plan: manifest.plan, video: manifest.video)
        part.resumed = [.init(startedAt: "2026-01-02T00:00:00Z", host: "h")]
        #expect(try ManifestJSON.read(try ManifestJSON.text(part)) == part)
        #expect(try ManifestJSON.text(part).contains("\"started_at\" : \"2026-01-02"))
    }

    @Test func partsThatCannotBeAreRefused() throws {
        let wrong = [
            try merged([]), try merged([(1, 3), (2, 4)]), try merged([(2, 3), (2, 3)]),
            try merged([(2, 3), (1, 3)]),
            try merged([(1, 3)], partition: RunPartition("slice:1/3")),
        ]
        for manifest in wrong {
            let text = try ManifestJSON.text(manifest)
            #expect(throws: ManifestError.self) { try ManifestJSON.read(text) }
        }
        let text = try ManifestJSON.text(try merged([(1, 3)]))
        #expect(throws: ManifestError.self) {
            try ManifestJSON.read(text.replacing("\"index\" : 1", with: "\"index\" : 9"))
        }
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
        ] { #expect(throws: ManifestError.self) { try ManifestJSON.read(damaged) } }
    }
}

/// `plan.json`: a kill that can be repeated wherever its evidence is copied to.
struct StoredKillJSONTests {
    private let kill: StoredKill = {
        let plan = KillPlan(
            seed: UInt64.max, iterations: 5,
            policies: [Policy(threshold: ByteSize(bytes: 512 << 10)), Policy(threshold: nil)],
            trigger: .random, videoLength: 10 << 20)
        let manifest = Manifest(
            runID: "run-1", command: ["rig", "kill-test"], versions: ["rig": "0.1.0"],
            machine: .init(
                system: "s", processor: "p", cores: 2, memoryBytes: 1, fileSystem: "ext4"),
            worker: "downloader", fault: .sigkill, workload: .playback,
            settings: ["storage": "file"], environment: ["DOWNLOADER_PLANTED_BUG": "flipped-byte"],
            plan: plan, video: .init(source: "fixture", length: 10 << 20, etag: "\"e\""),
            bandwidth: 64 << 20, gates: ["violations == 0"], startedAt: "2026-11-21T00:00:00Z")
        return StoredKill(
            manifest: manifest, planned: plan.iteration(4, policy: plan.policies[1]), kill: 1,
            verdict: .fail, reason: "integrity: wrong", checkers: [.integrity, .durability])
    }()

    @Test func aKillIsReadAsItWasWritten() throws {
        let text = try StoredKillJSON.text(kill)
        #expect(try StoredKillJSON.read(text) == kill)
        #expect(kill.checkers == [.durability, .integrity])
        #expect(text.contains("\"DOWNLOADER_PLANTED_BUG\" : \"flipped-byte\""))
    }

    @Test(arguments: [
        ("\"iteration\" : 4", "\"iteration\" : 3", "is not the one"),
        ("\"iteration\" : 4", "\"iteration\" : 6", "is not the one"),
        ("\"seed\" : 18446744073709551615", "\"seed\" : 1", "plan_digest"),
        ("\"verdict\" : \"fail\"", "\"verdict\" : \"maybe\"", "maybe"),
        ("\"kill\" : 1,", "", "'kill' is missing"),
    ])
    func aKillThatContradictsItselfIsRefused(found: String, changed: String, word: String) throws {
        let text = try StoredKillJSON.text(kill)
        let damaged = text.replacing(found, with: changed)
        try #require(damaged != text)
        let error = #expect(throws: ManifestError.self) { try StoredKillJSON.read(damaged) }
        #expect("\(String(describing: error))".isEmpty == false)
        #expect(error.map { "\($0)".contains(word) } == true, "\(String(describing: error))")
    }

    @Test func anotherVersionIsRefused() throws {
        // Replaces both the manifest's version and the kill's own, which comes last.
        let text = try StoredKillJSON.text(kill)
            .replacing("\n  \"schema\" : 1", with: "\n  \"schema\" : 2")
        #expect(throws: ManifestError.otherVersion(2)) { try StoredKillJSON.read(text) }
    }
}
