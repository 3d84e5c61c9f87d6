/// The words of a command line, read just far enough to know which options are given: the argument
/// parser does not tell, but reads the words afterwards, and reports what is wrong with them.
package struct GivenWords: Sendable {
    static let source = "command line"

    /// The options on the command line, also those that are no settings.
    package let settings: [Setting]
    /// The words without the options that are no settings.
    package private(set) var remaining: [String] = []

    package init(_ words: [String], options: [OptionFact]) {
        var values: [String: [String]] = [:]
        let end = words.firstIndex(of: "--") ?? words.endIndex
        if end < words.endIndex { values[OptionFact.command.name] = Array(words[(end + 1)...]) }
        var rest = words[..<end]
        while let word = rest.popFirst() {
            let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard let option = options.first(where: { $0.words.contains(String(parts[0])) }) else {
                remaining.append(word)
                continue
            }
            var used = [word]
            var value = option.isFlag ? "true" : parts.dropFirst().first.map(String.init)
            if value == nil, let next = rest.popFirst() {
                value = next
                used.append(next)
            }
            // Without its value the option stays, for the argument parser to complain of.
            if let value { values[option.name, default: []].append(value) }
            if value == nil || option.isSetting { remaining += used }
        }
        remaining += words[end...]
        settings = options.compactMap { option in
            values[option.name].map { Setting(option: option, values: $0, source: Self.source) }
        }
    }

    /// The last value of an option on the command line; `true` for a flag, nil without the option.
    package subscript(option: String) -> String? { settings[option]?.values.last }
}
