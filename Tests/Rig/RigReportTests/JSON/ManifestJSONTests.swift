import Foundation
import RigModel
import RigReport
import Testing

struct ManifestJSONTests {
    private let manifest: Manifest = {
        var manifest = makeRunManifest()
        manifest.profile = nil
        manifest.plan = KillPlan(
            seed: .max, iterations: 3,
            policies: [
                Policy(threshold: ByteSize(bytes: 512 << 10)),
                Policy(threshold: nil, durability: .power),
            ], trigger: .random, videoLength: 10 << 20)
        return manifest
    }()

    @Test func aManifestIsReadAsItWasWritten() throws {
        let text = try ManifestJSON.text(manifest)
        #expect(try ManifestJSON.read(text) == manifest)
        for name in ["run_id", "plan_digest", "file_system", "memory_bytes", "started_at"] {
            #expect(text.contains("\"\(name)\""))
        }
    }

    /// What was asked for and what was done are one object, and what is as usual is left out.
    @Test func theFileIsFlatAndHasNothingUsual() throws {
        let text = try ManifestJSON.text(manifest)
        let json = try #require(
            try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
        #expect(
            json.keys.sorted() == [
                "command", "fault", "gates", "machine", "plan", "plan_digest", "run_id", "schema",
                "started_at", "versions", "video", "worker", "workload",
            ])
    }

    @Test func aPinnedMomentSurvives() throws {
        var pinned = manifest
        pinned.bandwidth = 20 << 20
        pinned.plan = KillPlan(
            seed: 1, iterations: 1, policies: [Policy(threshold: nil)], trigger: .bytes,
            pinned: .bytes(5), videoLength: 100)
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
        var stored = manifest
        stored.profile = Self.profile
        stored.workerOption = "./w.yml"
        stored.workingDirectory = "/project"
        let text = try ManifestJSON.text(stored)
        #expect(try ManifestJSON.read(text) == stored)
        #expect(text.contains("\"power-cut-torn\" : \"1.5s\""), "\(text)")
    }

    private func merged(_ indices: [(Int, Int)], partition: RunPartition? = nil) throws -> Manifest
    {
        var merged = manifest
        merged.partition = partition
        merged.parts = try indices.map {
            MergedPart(
                partition: try #require(RunPartition(index: $0.0, of: $0.1)), runID: "e",
                host: "h", startedAt: "", copies: 2)
        }
        return merged
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

struct StoredKillJSONTests {
    private let kill: StoredKill = {
        let plan = KillPlan(
            seed: UInt64.max, iterations: 5,
            policies: [Policy(threshold: ByteSize(bytes: 512 << 10)), Policy(threshold: nil)],
            trigger: .random, videoLength: 10 << 20)
        var manifest = makeRunManifest(
            environment: ["DOWNLOADER_PLANTED_BUG": "flipped-byte"], plan: plan)
        manifest.spec.workload = .playback
        manifest.settings = ["storage": "file"]
        manifest.bandwidth = 64 << 20
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
