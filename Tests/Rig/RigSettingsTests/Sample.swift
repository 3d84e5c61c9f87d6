import RigProfiles
import RigModel
import RigSettings

/// A few options like those of `rig kill-test`, enough to test precedence.
enum Sample {
    static let catalogue = OptionCatalogue([
        OptionFact(name: "iterations", kind: .value, standard: "100"),
        OptionFact(name: "thresholds", kind: .list, standard: "512KB"),
        OptionFact(name: "video", kind: .value),
        OptionFact(name: "video-size", kind: .value, standard: "10MB"),
        OptionFact(name: "worker", kind: .value),
        OptionFact(name: "set", kind: .value, isRepeating: true),
        OptionFact(name: "gate", kind: .value, isRepeating: true),
        OptionFact(name: "trigger", kind: .value, standard: "random"),
        OptionFact(name: "at", kind: .value),
        OptionFact(name: "stratify", kind: .flag, standard: "false"),
        OptionFact(name: "seed", kind: .value),
        OptionFact(name: "quiet", kind: .flag, standard: "false"),
        OptionFact(name: "verbose", otherNames: ["-v"], kind: .flag, standard: "false"),
        OptionFact(name: "profile", kind: .value), OptionFact(name: "config", kind: .value),
        OptionFact(name: "no-config", kind: .flag), OptionFact(name: "print-config", kind: .flag),
        OptionFact(name: "help", otherNames: ["-h"], kind: .flag),
    ])

    static func file(_ text: String) throws(RigError) -> SettingsFile {
        try SettingsFile(YAMLText(name: "rig.yml", text: text), catalogue: catalogue)
    }

    /// The effective settings from a file, variables and a command line.
    static func settings(
        file text: String?, profile: String? = nil, environment: [String: String] = [:],
        words: [String] = []
    ) throws -> EffectiveSettings {
        let levels = try text.map { try file($0).levels(of: profile) } ?? []
        let variables = try EnvironmentSettings(environment, catalogue: catalogue)
        return EffectiveSettings(
            levels + [variables.settings, GivenWords(words, catalogue: catalogue).settings])
    }
}
