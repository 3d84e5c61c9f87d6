internal import RigProfiles

extension [Setting] {
    /// The text of a file with these settings, each with its source in a comment, and with the
    /// options that are not set.
    package func text(profile: String, options: [OptionFact]) -> String {
        var lines = [
            "# Command line > RIG_* environment > rig.yml > built in.",
            "profiles:", "  \(YAMLText.quoted(profile)):",
        ]
        for option in options where option.isSetting {
            let standard = option.isFlag ? "false" : option.defaultValue
            let builtIn = standard.map { Setting(option: option, values: [$0], source: "built in") }
            lines += (self[option.name] ?? builtIn)?.lines ?? ["    # \(option.name): not set"]
        }
        return lines.joined(separator: "\n") + "\n"
    }
}

extension Setting {
    fileprivate var lines: [String] {
        let texts = option.isFlag ? values : values.map(YAMLText.quoted)
        let comment = "# " + String(source.map { $0.isNewline || $0 == "\t" ? " " : $0 })
        let key = "    \(option.name):"
        guard option.isRepeating else { return ["\(key) \(texts.last ?? "\"\"") \(comment)"] }
        return ["\(key)\(texts.isEmpty ? " []" : "") \(comment)"] + texts.map { "      - \($0)" }
    }
}
