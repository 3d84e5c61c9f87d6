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
        (
            "profiles:\n  ci: {zzz: 3}",
            "rig.yml:2:8: 'ci' has no key 'zzz'; use one of iterations,"
        ),
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

    /// Printed settings must read back the same.
    ///
    /// That includes texts of several lines, and texts that YAML would read as another type.
    @Test func whatIsPrintedReadsAsTheSame() throws {
        let hostile = [
            "a: b", "# no comment", "'", "\"", "\\", "two\nlines", "tab\t", "true", "~", "",
            "- item", "{x}", "é", "\u{1F600}", "\u{7}", "null", "@a", "%b", "&c", "*d", "!e", "|",
            "\u{7F}", "\u{85}", "\u{2028}", "x\u{FEFF}", "\r", "OFF",
        ]
        let words = hostile.flatMap { ["--gate", $0] } + ["--video", "a b: c", "-v"]
        let settings = try Sample.settings(
            file: "profiles: {default: {thresholds: [1MB, disabled]}}",
            words: words + ["--", "curl", "{url}", "-o", "a b"])
        let text = settings.text(profile: "ci x", options: Sample.options)
        let again = [Setting](merging: try Sample.levels(of: text, profile: "ci x"))
        for setting in settings {
            #expect(again[setting.option.name]?.values == setting.values)
        }
        // An option that was not set is printed with its built-in value.
        #expect(again["iterations"]?.values == ["100"])
        #expect(again["stratify"]?.values == ["false"])
        #expect(again["seed"] == nil)
    }

    /// The form of the printed text is what users compare and commit.
    @Test func everyOptionIsPrintedWithItsSource() throws {
        let settings = try Sample.settings(
            file: "profiles:\n  ci: {thresholds: [64KB, 1MB], set: {a: '1', b: x y}, gate: []}\n",
            profile: "ci", environment: ["RIG_SEED": "7", "RIG_STRATIFY": "true"],
            words: ["-v", "--video", "a b.mp4", "--profile", "ci", "--", "curl", "{url}"])
        #expect(
            settings.text(profile: "ci", options: Sample.options) == """
                # Command line > RIG_* environment > rig.yml > built in.
                profiles:
                  ci:
                    iterations: 100 # built in
                    thresholds: "64KB,1MB" # rig.yml:2:8
                    video: "a b.mp4" # command line
                    video-size: 10MB # built in
                    # worker: not set
                    set: # rig.yml:2:33
                      - "a=1"
                      - "b=x y"
                    gate: [] # rig.yml:2:56
                    trigger: random # built in
                    # at: not set
                    stratify: true # RIG_STRATIFY
                    seed: 7 # RIG_SEED
                    quiet: false # built in
                    verbose: true # command line
                    command: # command line
                      - curl
                      - "{url}"

                """)
    }

    @Test(arguments: ["", "{}", "{\"command\": {\"arguments\": [{\"name\": 1}]}}"])
    func optionsDescribedInAnotherFormAreRefused(description: String) {
        #expect(throws: (any Error).self) { try [OptionFact](description: description) }
    }
}
