import RigProfiles
import RigModel
import RigSettings
import Testing

@Suite struct SettingsFileTests {
    @Test(arguments: [
        ("", "rig.yml:1:1: it is empty"),
        ("profile: {}", "rig.yml:1:1: a configuration has no key 'profile'"),
        ("profiles: 3", "rig.yml:1:11: 'profiles' has to be a mapping"),
        ("profiles:\n  default: 3", "rig.yml:2:12: 'default' has to be a mapping"),
        (
            "profiles:\n  default:\n    iteratons: 3",
            "rig.yml:3:5: 'default' has no key 'iteratons'; did you mean 'iterations'?"
        ),
        (
            "profiles:\n  ci: {video_size: 3}",
            "rig.yml:2:8: 'ci' has no key 'video_size'; did you mean 'video-size'?"
        ),
        ("profiles:\n  ci: {zzz: 3}", "rig.yml:2:8: 'ci' has no key 'zzz'; use one of iterations,"),
        // One letter in four may be wrong: changed, left out or added.
        ("profiles:\n  ci: {Sead: 3}", "rig.yml:2:8: 'ci' has no key 'Sead'; did you mean 'seed'?"),
        (
            "profiles:\n  ci: {vidoe-size: 3}",
            "rig.yml:2:8: 'ci' has no key 'vidoe-size'; did you mean 'video-size'?"
        ),
        ("profiles:\n  ci: {sede: 3}", "rig.yml:2:8: 'ci' has no key 'sede'; did you mean 'seed'?"),
        ("profiles:\n  ci: {comand: [x]}", "'ci' has no key 'comand'; did you mean 'command'?"),
        ("profiles:\n  ci: {command: x}", "rig.yml:2:17: 'command' has to be a list; write [one"),
        ("profiles:\n  ci: {command: []}", "rig.yml:2:17: 'command' is empty; leave it out"),
        ("profiles:\n  ci: {profile: x}", "rig.yml:2:8: 'ci' has no key 'profile'; give --profile"),
        ("profiles:\n  ci: {stratify: yes}", "rig.yml:2:18: 'stratify' is 'yes'; write true"),
        ("profiles:\n  ci: {iterations: [1, 2]}", "rig.yml:2:8: 'iterations' takes one value"),
        ("profiles:\n  ci: {iterations: {a: 1}}", "rig.yml:2:20: 'iterations' has to be a text"),
        ("profiles:\n  ci: {iterations: }", "rig.yml:2:20: 'iterations' has no value"),
        ("profiles:\n  ci:\n    seed: 1\n    seed: 2", "'seed' is there more than once"),
        ("profiles:\n\tci: 3", "rig.yml:2:1: found character that cannot start any token"),
    ])
    func whatIsNotKnownIsAnErrorWithItsPlace(text: String, complaint: String) {
        let error = #expect(throws: RigError.self) { try Sample.levels(of: text) }
        #expect(error?.status == .usage)
        #expect(error?.message.contains(complaint) == true, "\(error?.message ?? "")")
    }

    @Test func aProfileThatIsNotThereIsRefusedWithThoseThatAre() throws {
        let file = "profiles: {default: {seed: 1}, nightly: {seed: 2}}"
        let error = #expect(throws: RigError.self) {
            try Sample.levels(of: file, profile: "nigthly")
        }
        #expect(error?.message == "rig.yml has no profile 'nigthly'; it has default, nightly")
    }

    @Test func theNamesOfTheProfilesCanBeListed() throws {
        func names(_ text: String) throws -> [String] {
            try SettingsFile.profiles(in: YAMLText(name: "rig.yml", text: text))
        }
        // What is in them does not matter.
        #expect(try names("profiles: {nightly: {seed: x}, ci: {}}") == ["ci", "nightly"])
        #expect(throws: RigError.self) { try names("profile: {}") }
    }

    @Test func settingsOfAKeyAreAMapping() throws {
        let settings = try Sample.settings(
            file: "profiles: {default: {set: {storage: file, capacity: 8MB}, gate: one}}")
        #expect(settings["set"]?.values == ["capacity=8MB", "storage=file"])
        #expect(settings["gate"]?.values == ["one"])
    }

    @Test func everySettingNamesItsPlace() throws {
        let settings = try Sample.settings(file: "profiles:\n  default:\n    seed: 3\n")
        #expect(settings["seed"]?.source == "rig.yml:3:5")
    }

    /// A quoted text reads as the same: several lines, and what YAML would read as another type.
    @Test func whatIsQuotedReadsAsTheSame() throws {
        let hostile = [
            "a: b", "# no comment", "'", "\"", "\\", "two\nlines", "tab\t", "true", "~", "",
            "- item", "{x}", "é", "\u{1F600}", "\u{7}", "null", "@a", "%b", "&c", "*d", "!e", "|",
            "\u{7F}", "\u{85}", "\u{2028}", "x\u{FEFF}", "\r", "OFF",
        ]
        let list = hostile.map { "      - \(YAMLText.quoted($0))\n" }.joined()
        let settings = try Sample.settings(file: "profiles:\n  default:\n    gate:\n\(list)")
        #expect(settings["gate"]?.values == hostile)
    }

    @Test(arguments: ["", "{}", "{\"command\": {\"arguments\": [{\"name\": 1}]}}"])
    func optionsDescribedInAnotherFormAreRefused(description: String) {
        #expect(throws: (any Error).self) { try [OptionFact](description: description) }
    }
}
