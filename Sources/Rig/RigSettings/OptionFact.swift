internal import Foundation

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
    /// Whether no value follows it.
    var isFlag: Bool { kind == "flag" }
    /// Whether it can be set elsewhere than on the command line.
    var isSetting: Bool { !Self.notSettings.contains(name) }
}

extension [OptionFact] {
    /// The options in the argument parser's description of a command, and the worker's command.
    package init(description: String) throws {
        let tool = try JSONDecoder().decode(ToolDescription.self, from: Data(description.utf8))
        self = tool.command.arguments.filter { $0.kind != "positional" } + [.command]
    }
}

private struct ToolDescription: Decodable {
    struct Command: Decodable { let arguments: [OptionFact] }
    let command: Command
}
