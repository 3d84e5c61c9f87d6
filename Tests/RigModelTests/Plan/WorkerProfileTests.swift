import RigModel
import Testing

/// What `--set` does to a profile.
struct WorkerProfileTests {
    private let profile = WorkerProfile.downloader(executable: "/bin/downloader")

    @Test func aSettingAddsItsArgumentsToEveryCommandThatKeepsAVideo() throws {
        let set = try profile.setting(["storage": "file"])
        #expect(set.command == profile.command + ["--storage", "file"])
        #expect(set.proxy == profile.proxy.map { $0 + ["--storage", "file"] })
        #expect(set.export == profile.export)
        #expect(set.library == profile.library)
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
        #expect(error?.message.hasSuffix("it has: capacity, retries, storage, transport") == true)
    }
}
