import RigModel
import Testing

/// The effect of `--set` on a profile.
struct WorkerProfileTests {
    private let profile = WorkerProfile(
        name: "worker", command: ["worker", "fetch", "{url}"], export: ["worker", "export"],
        proxy: ["worker", "proxy"],
        settings: ["storage": ["--storage", "{storage}"], "jobs": ["-j{jobs}"]],
        defaults: ["slice": "1m"])

    @Test func aSettingAddsItsArgumentsToEveryCommandThatKeepsAVideo() throws {
        let set = try profile.setting(["storage": "file"])
        #expect(set.command == profile.command + ["--storage", "file"])
        #expect(set.proxy == profile.proxy.map { $0 + ["--storage", "file"] })
        #expect(set.export == profile.export)
        #expect(set.library == profile.library)
        #expect(try profile.setting(["jobs": "4"]).command.last == "-j4")
    }

    @Test func withoutASettingThereIsNoArgument() throws {
        #expect(try profile.setting([:]) == profile)
        #expect(!profile.command.contains("--storage"))
    }

    @Test func anUnknownOneIsRefusedAndTheKnownOnesAreNamed() {
        let error = #expect(throws: RigError.self) {
            try profile.setting(["storage": "file", "colour": "red"])
        }
        #expect(error?.status == .usage)
        #expect(error?.message.contains("'colour'") == true)
        #expect(error?.message.hasSuffix("it has: jobs, slice, storage") == true)
    }

    @Test func onlyTheProgramsOfItsCommandsAreChanged() {
        let found = profile.changingPrograms { "/bin/\($0)" }
        #expect(found.command == ["/bin/worker", "fetch", "{url}"])
        #expect(found.export == ["/bin/worker", "export"])
        #expect(found.proxy == ["/bin/worker", "proxy"])
        #expect(found.server == nil && found.library == nil)
        #expect(found.changingPrograms { String($0.dropFirst(5)) } == profile)
    }

    @Test func aBugIsPlantedInTheProgramThatHasIt() {
        var bugs = PlantedBugs(
            program: "buggy", variable: "V",
            bugs: [PlantedBug(name: "b", options: [], checkers: [.bound], iterations: 1)])
        func worker(_ server: WorkerServer?) -> WorkerProfile {
            WorkerProfile(
                name: "w", command: ["worker", "{url}"], server: server, export: ["cp"],
                proxy: ["worker", "proxy"], plantedBugs: bugs)
        }
        #expect(worker(nil).withPlantedBugs.programs == ["buggy", "cp", "buggy"])
        let served = worker(WorkerServer(command: ["server"])).withPlantedBugs
        #expect(served.programs == ["buggy", "worker", "cp", "worker"])
        #expect(worker(nil).environment(planting: bugs.bugs[0]) == ["V": "b"])
        bugs = PlantedBugs(program: nil, variable: "V", bugs: bugs.bugs)
        #expect(worker(nil).withPlantedBugs == worker(nil))
    }

    @Test(arguments: [("url", true), ("threshold", false), ("storage", false)])
    func whatItMentionsStandsInATextOfIts(placeholder: String, isThere: Bool) {
        #expect(profile.mentions(placeholder) == isThere)
    }
}
