/// The words of a command line, parsed just far enough to know which options are given.
///
/// The argument parser parses them fully afterwards, and reports errors.
package struct GivenWords: Sendable, Hashable {
    /// The words without the options that select the sources of settings or print the settings.
    package let remaining: [String]
    /// The settings on the command line.
    package let settings: [Setting]
    /// The value of `--config`; nil when it is not given.
    package let config: String?
    /// The value of `--profile`; nil when it is not given.
    package let profile: String?
    /// True with `--no-config`: file and variables are ignored.
    package let ignoresConfiguration: Bool
    /// True with `--print-config`.
    package let printsConfiguration: Bool
    /// True when only help is requested.
    package let asksForHelp: Bool

    /// Parses the words after the command's name.
    package init(_ words: [String], catalogue: OptionCatalogue) {
        var values: [String: [String]] = [:]
        var order: [String] = []
        func note(_ name: String, _ value: String) {
            if values[name] == nil { order.append(name) }
            values[name, default: []].append(value)
        }
        let end = words.firstIndex(of: "--") ?? words.count
        var remaining: [String] = []
        var index = 0
        while index < end {
            let began = index
            let word = words[index]
            index += 1
            let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard let name = Self.name(of: String(parts[0]), catalogue) else {
                remaining.append(word)
                continue
            }
            if !Self.takesValue(name, catalogue) {
                note(name, "true")
            } else if parts.count > 1 {
                note(name, String(parts[1]))
            } else if index < end {
                note(name, words[index])
                index += 1
            } else if OptionCatalogue.notSettings.contains(name) {
                // The argument parser reports the missing value; nothing else can be assumed.
                remaining.append(word)
            }
            if !OptionCatalogue.notSettings.contains(name) { remaining += words[began..<index] }
        }
        if end < words.count {
            values[OptionCatalogue.command] = Array(words[(end + 1)...])
            order.append(OptionCatalogue.command)
        }
        self.remaining = remaining + words[end...]
        settings = order.filter { !OptionCatalogue.notSettings.contains($0) }.map {
            Setting($0, values[$0] ?? [], source: .commandLine)
        }
        config = values["config"]?.last
        profile = values["profile"]?.last
        ignoresConfiguration = values["no-config"] != nil
        printsConfiguration = values["print-config"] != nil
        asksForHelp = values["help"] != nil || values["version"] != nil
    }

    private static func takesValue(_ name: String, _ catalogue: OptionCatalogue) -> Bool {
        guard let option = catalogue[name] else { return ["config", "profile"].contains(name) }
        return option.kind != .flag
    }

    /// The long name of the option that a word names; nil for any other word.
    private static func name(of word: String, _ catalogue: OptionCatalogue) -> String? {
        if word == "-h" { return "help" }
        guard word.hasPrefix("-") else { return nil }
        if let option = catalogue.options.first(where: { $0.otherNames.contains(word) }) {
            return option.name
        }
        guard word.hasPrefix("--") else { return nil }
        let name = String(word.dropFirst(2))
        return catalogue[name] != nil || OptionCatalogue.notSettings.contains(name) ? name : nil
    }
}
