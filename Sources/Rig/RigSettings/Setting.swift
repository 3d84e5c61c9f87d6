/// The source of a setting.
package enum SettingSource: Sendable, Hashable {
    /// The command line.
    case commandLine
    /// The environment variable with this name.
    case environment(String)
    /// A position in a file, as in error messages: `rig.yml:4:5`.
    case file(String)

    /// A short description of the source.
    package var title: String {
        switch self {
        case .commandLine: "command line"
        case .environment(let name): name
        case .file(let place): place
        }
    }
}

/// The setting of one option in one source.
package struct Setting: Sendable, Hashable {
    /// The option's long name, or ``OptionCatalogue/command``.
    package let option: String
    /// Its values; for a flag, `true` or `false`.
    package let values: [String]
    /// The source.
    package let source: SettingSource

    /// Creates a setting.
    package init(_ option: String, _ values: [String], source: SettingSource) {
        self.option = option
        self.values = values
        self.source = source
    }
}
