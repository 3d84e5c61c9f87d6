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
            "rig.yml:2:8: 'ci' has no key 'zzz'; the keys are iterations,"
        ),
        ("profiles:\n  ci: {profile: x}", "rig.yml:2:8: 'ci' has no key 'profile'; give --profile"),
        ("profiles:\n  ci: {stratify: yes}", "rig.yml:2:18: 'stratify' is 'yes'; write true"),
        ("profiles:\n  ci: {iterations: [1, 2]}", "rig.yml:2:8: 'iterations' takes one value"),
        ("profiles:\n  ci: {iterations: {a: 1}}", "rig.yml:2:20: 'iterations' has to be a text"),
        ("profiles:\n  ci: {iterations: }", "rig.yml:2:20: 'iterations' has no value"),
        ("profiles:\n  ci:\n    seed: 1\n    seed: 2", "'seed' is there more than once"),
        ("profiles:\n\tci: 3", "rig.yml:2:1: found character that cannot start any token"),
    ])
    func whatIsNotKnownIsAnErrorWithItsPlace(text: String, complaint: String) {
        let error = #expect(throws: RigError.self) { try Sample.file(text) }
        #expect(error?.status == .usage)
        #expect(error?.message.contains(complaint) == true, "\(error?.message ?? "")")
    }

    @Test func aProfileThatIsNotThereIsRefusedWithThoseThatAre() throws {
        let file = try Sample.file("profiles: {default: {seed: 1}, nightly: {seed: 2}}")
        let error = #expect(throws: RigError.self) { try file.levels(of: "nigthly") }
        #expect(error?.message == "rig.yml has no profile 'nigthly'; it has default, nightly")
    }

    @Test func settingsOfAKeyAreAMapping() throws {
        let settings = try Sample.settings(
            file: "profiles: {default: {set: {storage: file, capacity: 8MB}, gate: one}}")
        #expect(settings["set"]?.values == ["capacity=8MB", "storage=file"])
        #expect(settings["gate"]?.values == ["one"])
    }

    @Test func everySettingNamesItsPlace() throws {
        let settings = try Sample.settings(file: "profiles:\n  default:\n    seed: 3\n")
        #expect(settings["seed"]?.source == .file("rig.yml:3:5"))
    }

    /// Printed settings must read back the same.
    ///
    /// That includes texts of several lines, and texts that YAML would read as another type.
    @Test func whatIsPrintedReadsAsTheSame() throws {
        let hostile = [
            "a: b", "# no comment", "'", "\"", "\\", "two\nlines", "tab\t", "true", "~", "",
            "- item", "{x}", "é", "\u{1F600}", "\u{7}", "null", "@a", "%b", "&c", "*d", "!e", "|",
        ]
        let words = hostile.flatMap { ["--gate", $0] } + ["--video", "a b: c", "-v"]
        let settings = try Sample.settings(
            file: "profiles: {default: {thresholds: [1MB, disabled]}}",
            words: words + ["--", "curl", "{url}", "-o", "a b"])
        let text = SettingsText.text(settings, profile: "ci x", catalogue: Sample.catalogue)
        let again = EffectiveSettings(try Sample.file(text).levels(of: "ci x"))
        for setting in settings.settings {
            #expect(again[setting.option]?.values == setting.values)
        }
        // An option that was not set is printed with its built-in value.
        #expect(again["iterations"]?.values == ["100"])
        #expect(again["stratify"]?.values == ["false"])
        #expect(again["seed"] == nil)
    }
}
