internal import ArgumentParser
internal import Foundation
internal import LocatedYAML
internal import RigModel
internal import RigSettings

/// A command line, completed by what `rig.yml` and the environment say.
struct Configuration {
    /// The words of the whole command line, as the argument parser is to read them.
    let words: [String]
    /// What is to be said of it, a line each.
    let notes: [String]
    /// What `--print-config` prints; nil where it was not asked for.
    let printed: String?

    /// The words that the running command was given, the configured ones among them.
    @TaskLocal static var words: [String] = Array(CommandLine.arguments.dropFirst())

    /// The commands that can be configured: both have the options of `kill-test`.
    private static let commands: Set = ["kill-test", "plan"]

    /// Completes a command line.
    ///
    /// - Parameters:
    ///   - given: the words behind the program's name.
    ///   - environment: the environment variables.
    /// - Throws: ``RigError`` with exit code 64 for a setting that cannot be: where it stands, and
    ///   what to do.
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
        // Looking for settings takes a while, and most commands have none.
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
        // Whoever repeats the command gets what was configured then, whatever is configured now.
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

    /// The file that was named, or the one that lies here; nil where there is none.
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

    /// Refuses settings that the command cannot have, each by the place it comes from.
    ///
    /// The argument parser names an option, which the user may never have typed: the setting
    /// without which all is well is the one to blame.
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
        // What is wrong without any of them is for the argument parser to say.
        guard let culprit else { return }
        throw RigError(.usage, "\(culprit.source.title): \(wrong)")
    }
}

extension [String: String] {
    /// A variable that is set to something.
    fileprivate func value(_ name: String) -> String? {
        self[name].flatMap { $0.isEmpty ? nil : $0 }
    }
}

extension OptionCatalogue {
    /// The options of a command, as it says itself.
    ///
    /// - Throws: ``RigError`` with exit code 70 when the argument parser describes it otherwise than
    ///   the one that this was written for.
    init(of command: any ParsableArguments.Type) throws {
        let help: Help
        do {
            help = try JSONDecoder().decode(Help.self, from: Data(command._dumpHelp().utf8))
        } catch {
            throw RigError(.failure, "cannot list the options: \(error); use --no-config")
        }
        self.init(help.command.arguments.compactMap(\.fact))
    }

    /// What the argument parser says of a command.
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
