/// The effective settings as an equivalent file, which `--print-config` prints.
package enum SettingsText {
    /// The text of the file.
    ///
    /// - Parameters:
    ///   - settings: the effective settings.
    ///   - profile: the name for the profile in the file.
    ///   - catalogue: every option, in the order of printing.
    /// - Returns: a text that ``SettingsFile`` can read, with each setting's source in a comment.
    package static func text(
        _ settings: EffectiveSettings, profile: String, catalogue: OptionCatalogue
    ) -> String {
        var lines = [
            "# Command line > RIG_* environment > rig.yml > built in.",
            "profiles:", "  \(quoted(profile)):",
        ]
        for option in catalogue.options { lines += Self.lines(option, settings[option.name]) }
        let command = settings[OptionCatalogue.command]
        lines +=
            command.map { entry(OptionCatalogue.command, $0.values, isList: true, $0.source.title) }
            ?? ["    # \(OptionCatalogue.command): not set"]
        return lines.joined(separator: "\n") + "\n"
    }

    private static func lines(_ option: OptionFact, _ setting: Setting?) -> [String] {
        if let setting {
            return entry(
                option.name, setting.values, isList: option.isRepeating, setting.source.title,
                isQuoted: option.kind != .flag)
        }
        guard let standard = option.standard else { return ["    # \(option.name): not set"] }
        return entry(
            option.name, [standard], isList: option.isRepeating, "built in",
            isQuoted: option.kind != .flag)
    }

    private static func entry(
        _ name: String, _ values: [String], isList: Bool, _ source: String, isQuoted: Bool = true
    ) -> [String] {
        let texts = values.map { isQuoted ? quoted($0) : $0 }
        guard isList else {
            return ["    \(name): \(texts.last ?? "\"\"") # \(TextEscape.oneLine(source))"]
        }
        guard !texts.isEmpty else { return ["    \(name): [] # \(TextEscape.oneLine(source))"] }
        return ["    \(name): # \(TextEscape.oneLine(source))"] + texts.map { "      - \($0)" }
    }

    /// A text as YAML: plain if that is safe, otherwise in double quotes.
    private static func quoted(_ text: String) -> String {
        let plain = Set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._/+-")
        let words: Set = ["true", "false", "null", "yes", "no", "on", "off", "y", "n"]
        if let first = text.first, first.isLetter || first.isNumber,
            text.allSatisfy(plain.contains),
            !words.contains(text.lowercased())
        {
            return text
        }
        return TextEscape.doubleQuoted(text)
    }
}

/// Texts escaped for one line of YAML.
private enum TextEscape {
    /// The text with newlines and tabs replaced by blanks.
    static func oneLine(_ text: String) -> String {
        String(text.map { $0.isNewline || $0 == "\t" ? " " : $0 })
    }

    /// The text in double quotes, with YAML's escapes.
    static func doubleQuoted(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            case "\n": result += "\\n"
            case "\r": result += "\\r"
            case "\t": result += "\\t"
            case "\u{0}"..<"\u{20}", "\u{7F}"..<"\u{A0}", "\u{2028}", "\u{2029}", "\u{FEFF}":
                let digits = String(scalar.value, radix: 16)
                result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result + "\""
    }
}
