import RigModel
import RigReport
import Testing

/// `plan.json`: a kill that can be repeated wherever its evidence is copied to.
struct StoredKillJSONTests {
    private let kill: StoredKill = {
        let plan = KillPlan(
            seed: UInt64.max, iterations: 5,
            policies: [Policy(threshold: ByteSize(bytes: 512 << 10)), Policy(threshold: nil)],
            trigger: .random, videoLength: 10 << 20)
        var manifest = makeRunManifest(environment: ["DOWNLOADER_PLANTED_BUG": "flipped-byte"])
        manifest.workload = .playback
        manifest.settings = ["storage": "file"]
        manifest.bandwidth = 64 << 20
        manifest.plan = plan
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
