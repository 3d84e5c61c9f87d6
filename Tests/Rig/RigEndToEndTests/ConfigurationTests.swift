import Foundation
import RigModel
import RigReport
import Testing

/// `rig.yml`: settings that need not be typed.
@Suite struct ConfigurationTests {
    private let place = Workplace()

    /// A value for every option that a file can set.
    ///
    /// An option that is missing here fails ``everyOptionOfTheCommandLineCanBeInTheFile()``.
    private static let samples: [String: String] = [
        "iterations": "7", "thresholds": "[256KB, 1MB]", "durability": "power", "video": "film.mp4",
        "video-size": "3MB", "video-limit": "4GB", "bandwidth": "5MB/s", "port": "0", "tls": "true",
        "origin-fault": "[latency:20ms]", "worker": "curl", "workload": "download",
        "set": "{storage: file}", "trigger": "bytes", "at": "2MB", "exhaustive": "true",
        "fault": "abort", "disk": "ext4", "states": "sweep", "kills": "2", "relaunch": "again",
        "time-limit": "30", "error": "eio", "sticky": "once", "on": "'*.tmp'", "after-fsync": "xfs",
        "stratify": "true", "gate": "[violations == 0]", "max-loss-percent": "10", "seed": "4",
        "out": "runs/one", "json": "true", "quiet": "true", "verbose": "true", "color": "never",
        "jobs": "2", "partition": "slice:1/2", "baseline": "runs/main", "history": "history.sqlite",
        "timings": "true", "evidence": "all", "check": "'test -d {dir}'", "check-before": "true",
        "check-sees": "'rm {dir}/a'", "prepare": "'touch {dir}/a'", "said": "none", "for": "2s",
        "no-relaunch": "true", "writable": "[/dev/shm]",
    ]

    @discardableResult
    private func rig(_ arguments: [String], file: String? = nil) async throws -> Programs.Outcome {
        if let file { try file.save(as: "rig.yml", in: place) }
        return try await Programs.run(Programs.rig, arguments, in: place.url)
    }

    /// A wrong option behind them is the only thing that is complained of.
    @Test func everyOptionOfTheCommandLineCanBeInTheFile() async throws {
        // As the argument parser lists them for other tools.
        let list = try await rig(["kill-test", "--experimental-dump-help"])
        let dump = try JSONSerialization.jsonObject(with: Data(list.output.utf8)) as? [String: Any]
        let command = try #require(dump?["command"] as? [String: Any])
        let arguments = try #require(command["arguments"] as? [[String: Any]])
        let options = arguments.filter { $0["kind"] as? String != "positional" }.compactMap {
            ($0["names"] as? [[String: String]])?.first { $0["kind"] == "long" }?["name"]
        }
        let names = Set(options).subtracting(["config", "profile", "no-config", "help", "version"])
        #expect(names == Set(Self.samples.keys))
        let settings = Self.samples.map { "\($0.key): \($0.value)" }.joined(separator: ", ")
        for wrong in ["iterations", "seed"] {
            let outcome = try await rig(
                ["kill-test", "--\(wrong)", "many"], file: "profiles: {default: {\(settings)}}")
            outcome.exits(64).complains("'--\(wrong)")
            #expect(!outcome.complaint.contains("rig.yml"), "\(outcome.complaint)")
        }
    }

    /// A run uses the file's settings as changed by an option.
    ///
    /// Its manifest has a command line with all of them.
    @Test func aRunHasWhatIsConfigured() async throws {
        let file = """
            profiles:
              default: {iterations: 3, video-size: 1MB, trigger: time, at: 50%, seed: 1}
              ci: {thresholds: [64KB, 128KB], gate: ["violations == 0"]}
            """
        try await rig(
            ["kill-test", "--profile", "ci", "--trigger", "bytes", "--out", "run"]
                + ["--iterations", "2", "--seed", "9"], file: file
        ).exits(0)
        let rows = try place.rows(4)
        #expect(Set(rows.map(\.policy)) == ["64KB", "128KB"])
        #expect(Set(rows.map(\.trigger)) == ["bytes"])
        let manifest = try place.manifest()
        #expect(manifest.plan.seed == 9)
        #expect(manifest.command.prefix(3) == ["rig", "kill-test", "--no-config"])
        #expect(!manifest.command.contains("--profile"))
        // The recorded arguments make the same plan, even if the file has changed.
        let words = Array(manifest.command.dropFirst(2)).filter { !["--out", "run"].contains($0) }
        try await rig(
            ["plan", "--json"] + words, file: "profiles: {default: {iterations: 50}}"
        ).exits(0).prints(manifest.planDigest)
    }

    @Test(arguments: [
        ("profiles: {default: {iterations: many}}", "rig.yml:1:22: The value 'many' is invalid"),
        ("profiles: {default: {at: 2MB}}", "rig.yml:1:22: --at needs a trigger"),
        ("profiles: {default: {iteration: 2}}", "rig.yml:1:22: 'default' has no key 'iteration'"),
        ("profiles: {default: {gate: [loss <= 5]}}", "unknown metric"),
    ])
    func whatIsWrongInTheFileIsSaidWithItsPlace(file: String, word: String) async throws {
        for command in ["kill-test", "plan"] {
            let outcome = try await rig([command], file: file)
            #expect(outcome.exitCode == 64, "\(command): \(outcome.output)")
            outcome.complains(word)
            // With `--no-config` the file's error does not matter.
            try await rig([command, "--no-config", "--help"], file: file).exits(0)
        }
        #expect(!place.has("results"))
    }

    @Test(arguments: [
        (["--config", "none.yml"], "cannot read none.yml"),
        (["--profile", "ci"], "there is no rig.yml here"),
        (["--no-config", "--profile", "ci"], "leave out --config and --profile"),
        (["--seed", "many"], "The value 'many' is invalid for '--seed"),
    ])
    func whatIsNotThereIsRefused(arguments: [String], word: String) async throws {
        try await rig(["plan"] + arguments).exits(64).complains(word)
    }

    /// A program that a check judges is no download, and no other one is audited in its place.
    @Test func anAuditOfWhatDownloadsNothingIsRefused() async throws {
        try await rig(
            ["audit"], file: "profiles: {default: {command: [touch, '{dir}/a'], check: 'true'}}"
        ).exits(64).complains("{url}")
        #expect(!place.has("results"))
    }

    /// The parts of a self-check choose their own settings.
    @Test func aFileChangesNothingOfASelfCheck() async throws {
        let outcome = try await rig(
            ["self-check", "--bugs", "restart", "--iterations", "2", "--out", "run"],
            file: "profiles: {default: {video-size: 1MB, thresholds: 64KB, iterations: 1}}")
        #expect(outcome.exitCode == 0, "\(outcome.complaint)\(outcome.output)")
        #expect(try place.manifest(in: "run/restart").plan.policies.map(\.name) == ["512KB"])
    }
}
