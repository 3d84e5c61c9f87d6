package import RigModel
package import RigProfiles

/// `rig.yml`: profiles of settings, whose keys are the long names of `rig kill-test`'s options.
package enum SettingsFile {
    /// The file that is read when none is named.
    package static let name = "rig.yml"

    /// The profile that applies when none is named, and that all others extend.
    package static let standardProfile = "default"

    /// The settings of the standard profile, and above them those of another one that is named.
    package static func levels(
        of text: YAMLText, profile: String?, options: [OptionFact]
    ) throws(RigError) -> [[Setting]] {
        let fields = try fields(of: text)
        var profiles: [String: [Setting]] = [:]
        for name in fields.keys {
            guard let entries = try fields.fields(name, known: nil) else { continue }
            profiles[name] = try entries.keys.map { key throws(RigError) in
                let place = entries.place(of: key)
                guard let option = options.first(where: { $0.name == key && $0.isSetting }) else {
                    throw text.wrong(
                        place, "'\(name)' has no key '\(key)'; \(advice(on: key, options))")
                }
                let values = try values(of: option, in: entries)
                return Setting(option: option, values: values, source: text.title(of: place))
            }
        }
        let standard = profiles[standardProfile] ?? []
        guard let profile, profile != standardProfile else { return [standard] }
        guard let named = profiles[profile] else {
            let names = fields.keys.joined(separator: ", ")
            throw RigError(.usage, "\(text.name) has no profile '\(profile)'; it has \(names)")
        }
        return [standard, named]
    }

    package static func profiles(in text: YAMLText) throws(RigError) -> [String] {
        try fields(of: text).keys
    }

    private static func fields(of text: YAMLText) throws(RigError) -> YAMLFields {
        let root = try YAMLFields(
            try text.root(orElse: "give at least 'profiles: {default: {iterations: 100}}'"),
            "a configuration", known: ["profiles"], in: text)
        guard let fields = try root.fields("profiles", known: nil) else {
            throw root.missing("profiles", "put the settings below 'profiles: default:'")
        }
        return fields
    }

    private static func advice(on key: String, _ options: [OptionFact]) -> String {
        if OptionFact.notSettings.contains(key) { return "give --\(key) on the command line" }
        return key.advice(among: options.filter(\.isSetting).map(\.name))
    }

    private static func values(
        of option: OptionFact, in fields: YAMLFields
    ) throws(RigError) -> [String] {
        let key = option.name
        if option.isFlag { return [String(try fields.flag(key))] }
        if option == .command { return (try fields.texts(key) ?? []).map(\.text) }
        if option.isRepeating, fields.hasFields(key) {
            // `set: {storage: file}` is the YAML form of a repeatable option.
            return try fields.textsByKey(key).map { "\($0.key.text)=\($0.value.text)" }
        }
        let texts = (try fields.oneOrMoreTexts(key) ?? []).map(\.text)
        if option.isRepeating { return texts }
        guard texts.count == 1 || option.valueName == "list" else {
            throw fields.source.wrong(
                fields.place(of: key), "'\(key)' takes one value; write \(key): VALUE")
        }
        return [texts.joined(separator: ",")]
    }
}
