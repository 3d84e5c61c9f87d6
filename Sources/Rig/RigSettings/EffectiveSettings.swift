/// The settings in effect: for each option, the setting from the highest source that has one.
///
/// Command line > `RIG_*` environment > the file's profile > its `default` > what is built in.
package struct EffectiveSettings: Sendable, Hashable {
    /// The settings, one per option, in the order in which options were first set.
    package let settings: [Setting]

    /// Merges the sources.
    ///
    /// A source that makes a choice also removes what lower sources set for the same choice: a
    /// `--trigger` on the command line must not conflict with the `at` of a profile.
    ///
    /// - Parameter levels: the settings of each source, lowest first.
    package init(_ levels: [[Setting]]) {
        var chosen: [String: Setting] = [:]
        var order: [String] = []
        for level in levels {
            for setting in level {
                for other in order where Choice.takesBack(setting, other) {
                    chosen[other] = nil
                }
            }
            for setting in level {
                if !order.contains(setting.option) { order.append(setting.option) }
                chosen[setting.option] = setting
            }
        }
        settings = order.compactMap { chosen[$0] }
    }

    /// The setting of an option; nil when only the built-in default applies.
    package subscript(option: String) -> Setting? { settings.first { $0.option == option } }

    /// The settings that are not given on the command line.
    package var added: [Setting] { settings.filter { $0.source != .commandLine } }

    /// The words of a command line that states all settings: the added ones come before the given
    /// words, an added command after them.
    ///
    /// - Parameters:
    ///   - given: the words after the command's name.
    ///   - catalogue: the command's options.
    /// - Returns: the words.
    package func words(given: [String], catalogue: OptionCatalogue) -> [String] {
        var before: [String] = []
        var behind: [String] = []
        for setting in added {
            guard setting.option != OptionCatalogue.command else {
                behind = ["--"] + setting.values
                continue
            }
            guard catalogue[setting.option]?.kind != .flag else {
                if setting.values == ["true"] { before.append("--\(setting.option)") }
                continue
            }
            before += setting.values.map { "--\(setting.option)=\($0)" }
        }
        return before + given + behind
    }

    /// The same settings without one of them.
    package func without(_ setting: Setting) -> EffectiveSettings {
        EffectiveSettings([settings.filter { $0 != setting }])
    }
}

/// Options that belong to one choice.
private enum Choice {
    /// Options of a group replace each other.
    private static let groups: [Set<String>] = [
        ["worker", OptionCatalogue.command], ["video", "video-size"], ["quiet", "verbose"],
        ["at", "stratify", "exhaustive"],
    ]

    /// The options that refine an option, and are removed with it.
    private static let refinements: [String: Set<String>] = [
        "trigger": ["at", "stratify", "exhaustive"]
    ]

    /// Whether a setting from a higher source removes what a lower source sets for an option.
    static func takesBack(_ setting: Setting, _ other: String) -> Bool {
        let option = setting.option
        guard setting.values != ["false"] else { return option == other }
        if groups.contains(where: { $0.contains(option) && $0.contains(other) }) { return true }
        return refinements[option]?.contains(other) ?? false
    }
}
