internal import Foundation

/// What one source says of an option.
package struct Setting: Equatable, Sendable {
    package let option: OptionFact
    /// Its values; for a flag, `true` or `false`.
    package let values: [String]
    /// The source, as errors name it: `command line` or `rig.yml:4:5`.
    package let source: String

    fileprivate var words: [String] {
        if option == .command { return ["--"] + values }
        if option.isFlag { return values == ["true"] ? ["--\(option.name)"] : [] }
        return values.map { "--\(option.name)=\($0)" }
    }

    /// The options of lower sources that an option takes back, since both belong to one choice.
    private static let takenBack: [String: Set<String>] = [
        "worker": ["command"], "command": ["worker"], "video": ["video-size"],
        "video-size": ["video"], "quiet": ["verbose"], "verbose": ["quiet"],
        "trigger": ["at", "stratify", "exhaustive"], "at": ["stratify", "exhaustive"],
        "stratify": ["at", "exhaustive"], "exhaustive": ["at", "stratify"],
        "fault": ["disk", "states", "error", "sticky", "on", "after-fsync"],
    ]

    /// Whether its source decides on an option: by setting it, or by taking it back.
    fileprivate func decides(on other: OptionFact) -> Bool {
        if option == other { return true }
        return values != ["false"] && Self.takenBack[option.name]?.contains(other.name) ?? false
    }
}

extension [Setting] {
    /// Merges sources, lowest first: an option is as the highest source that decides on it says; a
    /// choice also decides on what belongs to it: `--trigger` must not conflict with the `at` of a
    /// profile.
    package init(merging levels: [[Setting]]) {
        self = []
        for option in levels.joined().map(\.option) where self[option.name] == nil {
            let level = levels.last { $0.contains { $0.decides(on: option) } }
            if let setting = level?[option.name] { append(setting) }
        }
    }

    /// The setting of an option; nil when only the built-in default applies.
    package subscript(option: String) -> Setting? { first { $0.option.name == option } }
    package var added: [Setting] { filter { $0.source != GivenWords.source } }

    /// A command line with all settings: the added ones before the given words, a command after.
    package func words(given: [String]) -> [String] {
        added.filter { $0.option != .command }.flatMap(\.words) + given
            + (added[OptionFact.command.name]?.words ?? [])
    }
}

/// An option of a command, as the argument parser describes it.
package struct OptionFact: Decodable, Equatable, Sendable {
    struct Name: Decodable, Equatable {
        let kind: String
        let name: String
    }

    let kind: String
    let names: [Name]?
    let isRepeating: Bool
    let valueName: String?

    /// Options that select the sources of settings, and options that only print a text.
    package static let notSettings: Set = ["config", "profile", "no-config", "help", "version"]

    /// The words behind `--`, which are no option but are set like one.
    static let command = OptionFact(kind: "command", names: nil, isRepeating: true, valueName: nil)

    /// Its long name, without dashes: `video-size`.
    package var name: String { names?.first { $0.kind == "long" }?.name ?? kind }
    /// Its names on a command line: `--verbose` and `-v`.
    var words: [String] { (names ?? []).map { ($0.kind == "long" ? "--" : "-") + $0.name } }
    var isFlag: Bool { kind == "flag" }
    /// Whether it can be set elsewhere than on the command line.
    var isSetting: Bool { !Self.notSettings.contains(name) }
}

extension [OptionFact] {
    package init(description: String) throws {
        let tool = try JSONDecoder().decode(ToolDescription.self, from: Data(description.utf8))
        self = tool.command.arguments.filter { $0.kind != "positional" } + [.command]
    }
}

private struct ToolDescription: Decodable {
    struct Command: Decodable { let arguments: [OptionFact] }
    let command: Command
}
