import Foundation
import RigModel
import TestSupport
import Testing

/// `--worker` and a command after `--`: which program is killed.
@Suite struct WorkerChoiceTests {
    private let place = Workplace()

    private static let fetch = ["curl", "-o", "{output}", "{url}"]

    @Test(arguments: [
        (["--worker", "none.yaml"], "cannot read none.yaml"),
        (["--worker", "curl", "--thresholds", "256KB,512KB"], "would be the same"),
        (["--thresholds", "disabled", "--"] + fetch, "would be the same"),
        (["--worker", "curl", "--durability", "power"], "{durability}"),
        (["--worker", "curl", "--trigger", "phase"], "witness page"),
        (["--worker", "curl", "--workload", "playback"], "'proxy'"),
        (["--worker", "curl", "--workload", "offline-library"], "'library'"),
        (["--worker", "curl", "--set", "storage=file"], "no placeholder 'storage'"),
        (["--worker", "curl", "--gate", "phases_hit >= 1"], "shows no phases"),
    ])
    func whatAWorkerCannotDoIsRefused(arguments: [String], word: String) async throws {
        try await rig(["kill-test"] + arguments, in: place, exits: 64, complains: word)
        #expect(!place.has("results"))
    }

    /// `rig kill-test -- $CMD` with an empty `CMD` used to test the reference downloader, and
    /// passed.
    @Test(arguments: [
        ["kill-test", "--", ""], ["kill-test", "--", " ", "\t"],
        ["kill-test", "--", " ", "{url}", "{output}"], ["plan", "--"],
        ["workers", "check", "curl", "--"], ["judge", "--"],
    ])
    func nothingBehindTheTerminatorIsRefused(words: [String]) async throws {
        try await rig(words, in: place, exits: 64, complains: "follows --")
        #expect(!place.has("results"))
    }

    @Test(arguments: [
        (["--trigger", "syscall"], "follows one program"),
        (["--fault", "power-cut"], "killed by signal 9"),
        (["--fault", "abort"], "killed by signal 9"),
    ])
    func aServerIsKilledBySignalNine(arguments: [String], word: String) async throws {
        try """
        name: cache
        command: [curl, -o, "{output}", "http://127.0.0.1:{port}{path}"]
        server: {command: [no-such-server, "{port}"], ready: port}
        """.save(as: "cache.yml", in: place)
        try await rig(
            ["plan"] + arguments + ["--worker", "cache.yml"], in: place, exits: 64, complains: word)
    }

    @Test func aProfileThatIsWrongIsRefusedWithItsPlace() async throws {
        try "name: a\ncommand: [a, \"{ulr}\"]\n".save(as: "a.yml", in: place)
        let outcome = try await rig("kill-test", "--worker", "a.yml", in: place, exits: 64)
        #expect(outcome.complaint.hasPrefix("rig: a.yml:2:15: there is no placeholder {ulr}"))
    }

    @Test(arguments: [
        ("needs: {no-such-program: its-package}", "apt-get install its-package"),
        ("needs: [no-such-program]", "needs 'no-such-program', which is neither beside"),
        ("export: [./no-such-program]", "no program that can be run"),
    ])
    func aProgramThatIsNotThereIsMissed(line: String, word: String) async throws {
        try "name: a\ncommand: [sh, \"{url}\"]\n\(line)\n".save(as: "a.yml", in: place)
        try await rig("kill-test", "--worker", "a.yml", in: place, exits: 69, complains: word)
        #expect(!place.has("results"))
        // A plan starts nothing, so it needs no programs.
        try await rig("plan", "--worker", "a.yml", in: place, exits: 0)
    }

    /// The reference worker under another name, with its own profile.
    ///
    /// It is killed, judged and replayed like the built-in one, even after the file is gone.
    @Test func aWorkerIsWhatItsProfileSays() async throws {
        let text = try Checkout.text(of: "Sources/Rig/RigProfiles/profiles/downloader.yml")
        try text.replacing("name: downloader\n", with: "name: mine\n").save(
            as: "mine.yml", in: place)
        let options = ["--worker", "mine.yml", "--iterations", "2", "--seed", "4"]
        try await place.killTest(options, exits: 0)
        #expect(try place.rows().map(\.worker) == ["mine", "mine"])
        try place.remove("mine.yml")
        try await rig("replay", "run", "--iteration", "2", "--times", "1", in: place, exits: 0)
        try await rig("judge", "run", in: place, exits: 0)
    }
}
