/// What applies in the end: of each option, the setting of the highest source that speaks of it.
///
/// Command line > `RIG_*` environment > the file's profile > its `default` > what is built in.
package struct EffectiveSettings: Sendable, Hashable {
    /// The settings, one per option, in the order in which options were first set.
    package let settings: [Setting]

    /// Joins the sources.
    ///
    /// A source that chooses something also takes back what lower ones say of the same choice: a
    /// `--trigger` on the command line is not to be stopped by the `at` of a profile.
    ///
    /// - Parameter levels: what each source sets, the lowest first.
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

    /// The setting of an option; nil where nothing but what is built in applies.
    package subscript(option: String) -> Setting? { settings.first { $0.option == option } }

    /// The settings that are not on the command line already.
    package var added: [Setting] { settings.filter { $0.source != .commandLine } }

    /// The words of a command line that says all of it: what is not there already before the words
    /// that are, and a command behind them.
    ///
    /// - Parameters:
    ///   - given: the words behind the command's name.
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

    /// The same without one of its settings.
    package func without(_ setting: Setting) -> EffectiveSettings {
        EffectiveSettings([settings.filter { $0 != setting }])
    }
}

/// Options that are parts of one choice.
private enum Choice {
    /// Each of a group stands for all of it.
    private static let groups: [Set<String>] = [
        ["worker", OptionCatalogue.command], ["video", "video-size"], ["quiet", "verbose"],
        ["self-check", "documented"], ["at", "stratify", "exhaustive"],
    ]

    /// What refines an option, and goes with it.
    private static let refinements: [String: Set<String>] = [
        "trigger": ["at", "stratify", "exhaustive"],
        "self-check": ["bounds"], "documented": ["bugs", "iterations"],
    ]

    /// All that a run may be told that chooses workloads, policies and kills by itself.
    private static let ofControl: Set = [
        "self-check", "documented", "seed", "out", "json", "quiet", "verbose", "color", "worker",
        OptionCatalogue.command, "bugs", "bounds", "iterations",
    ]

    /// Whether a setting of a higher source takes back what a lower one says of an option.
    static func takesBack(_ setting: Setting, _ other: String) -> Bool {
        let option = setting.option
        guard setting.values != ["false"] else { return option == other }
        if groups.contains(where: { $0.contains(option) && $0.contains(other) }) { return true }
        if refinements[option]?.contains(other) ?? false { return true }
        guard option == "self-check" || option == "documented" else { return false }
        return !ofControl.contains(other) && !(option == "documented" && other == "set")
    }
}
