internal import ArgumentParser
internal import Foundation
internal import ProgramStart
internal import RigProfiles
internal import RigModel
internal import RigSettings

/// A command line, completed with the settings of `rig.yml`.
enum Configuration {
    /// The words of the running command, including the configured ones.
    @TaskLocal static var words: [String] = ProgramArguments.given

    /// The commands that can be configured, by options that they share with `kill-test`.
    private static let commands: Set = ["kill-test", "plan", audit]
    private static let audit = "audit"
    /// What an audit takes of a profile: which program it is; all else it chooses itself.
    private static let settingsOfAudit: Set = ["worker", "command", "set", "tls"]

    /// The whole command line, as the argument parser must read it; nil for the given one.
    static func completed(_ given: [String]) throws -> [String]? {
        guard let name = given.first, commands.contains(name) else { return nil }
        let rest = Array(given.dropFirst())
        let asks = rest.contains { word in
            OptionFact.notSettings.contains { word.hasPrefix("--\($0)") }
        }
        // Looking for settings is slow, and most commands have none.
        guard asks || FileManager.default.fileExists(atPath: SettingsFile.name) else { return nil }
        let options = try Rig.options()
        let line = GivenWords(rest, options: options)
        guard line["help"] == nil, line["version"] == nil else { return nil }
        let profile = line["profile"]
        let levels = try file(line, profile: profile).map {
            try SettingsFile.levels(of: $0, profile: profile, options: options)
        }
        let taken = (levels ?? []).map { level in
            name == audit ? level.filter { settingsOfAudit.contains($0.option.name) } : level
        }
        let settings = [Setting](merging: taken + [line.settings])
        try check(name, line, settings)
        // A repeated command gets the settings of the original run, whatever is configured by then.
        let isConfigured = line["no-config"] != nil || !settings.added.isEmpty
        return [name] + (isConfigured ? ["--no-config"] : [])
            + settings.words(given: line.remaining)
    }

    /// The text of the named file, or of `rig.yml` in this folder; nil when there is none.
    private static func file(_ line: GivenWords, profile: String?) throws -> YAMLText? {
        guard line["no-config"] == nil else {
            guard line["config"] == nil, line["profile"] == nil else {
                throw RigError(
                    .usage, "--no-config reads no profile; leave out --config and --profile")
            }
            return nil
        }
        let named = line["config"]
        let path = named ?? SettingsFile.name
        guard let data = FileManager.default.contents(atPath: path) else {
            if named != nil || FileManager.default.fileExists(atPath: path) {
                throw RigError(
                    .usage, "cannot read \(path); name a file with 'profiles:' by --config")
            }
            if let profile {
                throw RigError.usage(
                    "there is no rig.yml here to have a profile '\(profile)'; name one by --config")
            }
            return nil
        }
        guard let text = String(validating: data, as: UTF8.self) else {
            throw RigError(.usage, "\(path) is not UTF-8 text; save it as UTF-8")
        }
        return YAMLText(name: path, text: text)
    }

    /// Rejects settings that the command cannot have, by their source: the argument parser names an
    /// option that the user may not have typed; at fault is the one without which the line is
    /// valid.
    private static func check(_ name: String, _ line: GivenWords, _ settings: [Setting]) throws {
        func complaint(_ settings: [Setting]) -> String? {
            do {
                _ = try Rig.parseAsRoot([name] + settings.words(given: line.remaining))
                return nil
            } catch {
                return Rig.message(for: error)
            }
        }
        guard let wrong = complaint(settings) else { return }
        let culprit = settings.added.first { setting in
            complaint(settings.filter { $0 != setting }) == nil
        }
        // An error that no single added setting causes is left to the argument parser.
        guard let culprit else { return }
        throw RigError(.usage, "\(culprit.source): \(wrong)")
    }
}

extension Rig {
    /// The options of `kill-test`, as the argument parser lists them for generators of man pages.
    fileprivate static func options() throws -> [OptionFact] {
        var list = ""
        do {
            _ = try parseAsRoot(["kill-test", "--experimental-dump-help"])
        } catch {
            list = message(for: error)
        }
        do {
            return try [OptionFact](description: list)
        } catch {
            throw RigError(.failure, "cannot list the options: \(error); do without rig.yml")
        }
    }
}
