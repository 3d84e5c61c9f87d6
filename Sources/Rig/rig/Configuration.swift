internal import ArgumentParser
internal import Foundation
internal import RigProfiles
internal import RigModel
internal import RigSettings

/// A command line, completed with the settings of `rig.yml` and the environment.
struct Configuration {
    /// The whole command line, as the argument parser must read it.
    let words: [String]
    /// Notes about it, one line each.
    let notes: [String]
    /// The output of `--print-config`; nil when not requested.
    let printed: String?

    /// The words of the running command, including the configured ones.
    @TaskLocal static var words: [String] = Array(CommandLine.arguments.dropFirst())

    /// The commands that can be configured: both have the options of `kill-test`.
    private static let commands: Set = ["kill-test", "plan"]

    /// Completes a command line.
    ///
    /// - Parameters:
    ///   - given: the words after the program's name.
    ///   - environment: the environment variables.
    /// - Throws: ``RigError`` with exit code 64 for an invalid setting: its position, and what to
    ///   do.
    init(_ given: [String], environment: [String: String]) throws {
        guard let name = given.first, Self.commands.contains(name) else {
            self.init(words: given)
            return
        }
        let file = "rig.yml"
        let rest = Array(given.dropFirst())
        let asks = rest.contains { word in
            OptionCatalogue.notSettings.contains { word.hasPrefix("--\($0)") }
        }
        // Looking for settings is slow, and most commands have none.
        guard
            asks || FileManager.default.fileExists(atPath: file)
                || environment.keys.contains(where: { $0.hasPrefix("RIG_") })
        else {
            self.init(words: given)
            return
        }
        let catalogue = try OptionCatalogue(of: KillTestCommand.self)
        let line = GivenWords(rest, catalogue: catalogue)
        guard !line.asksForHelp else {
            self.init(words: given)
            return
        }
        try self.init(
            name, line, environment: line.ignoresConfiguration ? [:] : environment,
            catalogue: catalogue)
    }

    private init(words: [String]) {
        self.words = words
        notes = []
        printed = nil
    }

    private init(
        _ name: String, _ line: GivenWords, environment: [String: String],
        catalogue: OptionCatalogue
    ) throws {
        let profile = line.profile ?? environment.value("RIG_PROFILE")
        let file = try Self.file(line, environment, profile: profile, catalogue: catalogue)
        let variables = try EnvironmentSettings(environment, catalogue: catalogue)
        let settings = EffectiveSettings(
            (try file?.levels(of: profile) ?? []) + [variables.settings, line.settings])
        try Self.check(name, line, settings, catalogue)
        // A repeated command gets the settings of the original run, whatever is configured by then.
        let isConfigured = line.ignoresConfiguration || !settings.added.isEmpty
        words =
            [name] + (isConfigured ? ["--no-config"] : [])
            + settings.words(given: line.remaining, catalogue: catalogue)
        notes = variables.notes
        printed =
            line.printsConfiguration
            ? SettingsText.text(
                settings, profile: profile ?? SettingsFile.standardProfile, catalogue: catalogue)
            : nil
    }

    /// The named file, or `rig.yml` in this folder; nil when there is none.
    private static func file(
        _ line: GivenWords, _ environment: [String: String], profile: String?,
        catalogue: OptionCatalogue
    ) throws -> SettingsFile? {
        guard !line.ignoresConfiguration else {
            guard line.config == nil, line.profile == nil else {
                throw RigError(
                    .usage, "--no-config reads no profile; leave out --config and --profile")
            }
            return nil
        }
        let named = line.config ?? environment.value("RIG_CONFIG")
        let path = named ?? "rig.yml"
        guard let data = FileManager.default.contents(atPath: path) else {
            if named != nil || FileManager.default.fileExists(atPath: path) {
                throw RigError(
                    .usage, "cannot read \(path); name a file with 'profiles:' by --config")
            }
            if let profile {
                throw RigError(
                    .usage,
                    "there is no rig.yml here to have a profile '\(profile)'; name one by --config")
            }
            return nil
        }
        guard let text = String(validating: data, as: UTF8.self) else {
            throw RigError(.usage, "\(path) is not UTF-8 text; save it as UTF-8")
        }
        return try SettingsFile(YAMLText(name: path, text: text), catalogue: catalogue)
    }

    /// Rejects settings that the command cannot have, naming their source.
    ///
    /// The argument parser names an option that the user may not have typed. The setting at fault
    /// is the one without which the command line is valid.
    private static func check(
        _ name: String, _ line: GivenWords, _ settings: EffectiveSettings,
        _ catalogue: OptionCatalogue
    ) throws {
        func complaint(_ settings: EffectiveSettings) -> String? {
            do {
                _ = try Rig.parseAsRoot(
                    [name] + settings.words(given: line.remaining, catalogue: catalogue))
                return nil
            } catch {
                return Rig.message(for: error)
            }
        }
        guard let wrong = complaint(settings) else { return }
        let culprit = settings.added.first { complaint(settings.without($0)) == nil }
        // An error that no single added setting causes is left to the argument parser.
        guard let culprit else { return }
        throw RigError(.usage, "\(culprit.source.title): \(wrong)")
    }
}

extension [String: String] {
    /// The value of a variable that is set and not empty.
    fileprivate func value(_ name: String) -> String? {
        self[name].flatMap { $0.isEmpty ? nil : $0 }
    }
}

extension OptionCatalogue {
    /// The options of a command, from its own description.
    ///
    /// - Throws: ``RigError`` with exit code 70 when the argument parser's description has another
    ///   form than expected.
    init(of command: any ParsableArguments.Type) throws {
        let help: Help
        do {
            help = try JSONDecoder().decode(Help.self, from: Data(command._dumpHelp().utf8))
        } catch {
            throw RigError(.failure, "cannot list the options: \(error); use --no-config")
        }
        self.init(help.command.arguments.compactMap(\.fact))
    }

    /// The argument parser's description of a command.
    private struct Help: Decodable {
        struct Command: Decodable { let arguments: [Argument] }
        let command: Command
    }

    private struct Argument: Decodable {
        struct Name: Decodable {
            let kind: String
            let name: String

            var written: String { (kind == "long" ? "--" : "-") + name }
        }
        let kind: String
        let names: [Name]?
        let preferredName: Name?
        let isRepeating: Bool
        let valueName: String?
        let defaultValue: String?

        var fact: OptionFact? {
            guard kind != "positional", let long = names?.first(where: { $0.kind == "long" })
            else { return nil }
            return OptionFact(
                name: long.name,
                otherNames: (names ?? []).filter { $0.name != long.name }.map(\.written),
                kind: kind == "flag" ? .flag : valueName == "list" ? .list : .value,
                isRepeating: isRepeating,
                standard: kind == "flag" ? "false" : defaultValue)
        }
    }
}
