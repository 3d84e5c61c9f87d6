package import RigProfiles
package import RigModel

/// `rig.yml`: named sets of options.
///
/// ```yaml
/// profiles:
///   default: {iterations: 100}
///   nightly: {iterations: 3000, gate: ["violation_rate.ucb95 < 0.1%"]}
/// ```
///
/// Keys are the long names of `rig kill-test`'s options. Options missing from a profile come from
/// `default`.
package struct SettingsFile: Sendable {
    /// The profile that applies when none is named, and that all others extend.
    package static let standardProfile = "default"

    /// The names of the profiles, in alphabetical order.
    package let names: [String]
    private let profiles: [String: [Setting]]
    private let name: String

    /// Reads a file.
    ///
    /// - Parameters:
    ///   - text: the file.
    ///   - catalogue: the known options.
    /// - Throws: ``RigModel/RigError`` with exit code 64, line and column for anything unknown.
    package init(_ text: YAMLText, catalogue: OptionCatalogue) throws(RigError) {
        let root = try YAMLFields(
            try text.root(orElse: "give at least 'profiles: {default: {iterations: 100}}'"),
            "a configuration", known: ["profiles"], in: text)
        guard let fields = try root.fields("profiles", known: nil) else {
            throw root.missing("profiles", "put the settings below 'profiles: default:'")
        }
        var profiles: [String: [Setting]] = [:]
        for name in fields.keys {
            guard let profile = try fields.fields(name, known: nil) else { continue }
            profiles[name] = try Self.settings(of: profile, profile: name, catalogue: catalogue)
        }
        self.profiles = profiles
        self.names = fields.keys
        self.name = text.name
    }

    /// The settings of a profile on top of those of `default`, lowest first.
    ///
    /// - Parameter profile: the profile's name; nil when none was named.
    /// - Returns: the settings of `default`, and those of the profile if it is another one.
    /// - Throws: ``RigModel/RigError`` with exit code 64 when there is no profile with that name.
    package func levels(of profile: String?) throws(RigError) -> [[Setting]] {
        let base = profiles[Self.standardProfile] ?? []
        guard let profile, profile != Self.standardProfile else { return [base] }
        guard let own = profiles[profile] else {
            throw RigError(
                .usage,
                "\(name) has no profile '\(profile)'; it has \(names.joined(separator: ", "))")
        }
        return [base, own]
    }

    private static func settings(
        of fields: YAMLFields, profile: String, catalogue: OptionCatalogue
    ) throws(RigError) -> [Setting] {
        var settings: [Setting] = []
        for key in fields.keys {
            let place = fields.place(of: key)
            let source = SettingSource.file(fields.source.title(of: place))
            if key == OptionCatalogue.command {
                settings.append(
                    Setting(key, try fields.texts(key)?.map(\.text) ?? [], source: source))
                continue
            }
            guard let option = catalogue[key] else {
                throw fields.source.wrong(
                    place, "'\(profile)' has no key '\(key)'; \(advice(key, catalogue))")
            }
            settings.append(
                Setting(key, try values(of: option, in: fields), source: source))
        }
        return settings
    }

    /// A suggestion for an unknown key.
    private static func advice(_ key: String, _ catalogue: OptionCatalogue) -> String {
        guard !OptionCatalogue.notSettings.contains(key) else {
            return "give --\(key) on the command line"
        }
        let known = catalogue.options.map(\.name) + [OptionCatalogue.command]
        if let near = Spelling.nearest(to: key, among: known) { return "did you mean '\(near)'?" }
        return "the keys are \(known.joined(separator: ", "))"
    }

    private static func values(
        of option: OptionFact, in fields: YAMLFields
    ) throws(RigError) -> [String] {
        guard option.kind != .flag else { return [String(try fields.flag(option.name))] }
        if option.isRepeating, fields.hasFields(option.name) {
            // `set: {storage: file}` is the YAML form of a repeatable option.
            return try fields.textsByKey(option.name).map { "\($0.key.text)=\($0.value.text)" }
        }
        let texts = try fields.oneOrMoreTexts(option.name) ?? []
        guard !option.isRepeating else { return texts.map(\.text) }
        guard option.kind == .list || texts.count == 1 else {
            throw fields.source.wrong(
                fields.place(of: option.name),
                "'\(option.name)' takes one value; write \(option.name): VALUE")
        }
        return [texts.map(\.text).joined(separator: ",")]
    }
}
