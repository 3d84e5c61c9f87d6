/// Where a setting comes from.
package enum SettingSource: Sendable, Hashable {
    /// It was written on the command line.
    case commandLine
    /// An environment variable of this name.
    case environment(String)
    /// A place in a file, as errors say it: `rig.yml:4:5`.
    case file(String)

    /// The source in a word or two.
    package var title: String {
        switch self {
        case .commandLine: "command line"
        case .environment(let name): name
        case .file(let place): place
        }
    }
}

/// What one source says of one option.
package struct Setting: Sendable, Hashable {
    /// The option's long name, or ``OptionCatalogue/command``.
    package let option: String
    /// Its values: of a flag, `true` or `false`.
    package let values: [String]
    /// Who says so.
    package let source: SettingSource

    /// A setting.
    package init(_ option: String, _ values: [String], source: SettingSource) {
        self.option = option
        self.values = values
        self.source = source
    }
}
