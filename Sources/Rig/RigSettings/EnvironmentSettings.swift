package import RigModel

/// The settings from `RIG_*` environment variables.
package struct EnvironmentSettings: Sendable {
    /// The settings, in the order of the options.
    package private(set) var settings: [Setting] = []
    /// Variables that look like settings but are not, each with a suggestion.
    package let notes: [String]

    /// Variables that choose what is tested: with an empty one, something else would be tested.
    private static let choices = [
        "RIG_WORKER", "RIG_WORKLOAD", "RIG_FAULT", "RIG_PROFILE", "RIG_CONFIG",
    ]
    /// The rig's own variables that are not settings.
    private static let others: Set = [
        "RIG_CONFIG", "RIG_PROFILE", "RIG_WITNESS", "RIG_RUN", "RIG_OWNER", "RIG_PACE",
        "RIG_BINARIES",
        "RIG_WARNINGS_AS_ERRORS",
    ]

    /// Reads the variables.
    ///
    /// An empty one sets nothing. A repeatable option has one value per line.
    ///
    /// - Throws: ``RigModel/RigError`` with exit code 64 for a flag that is neither true nor false,
    ///   and for an empty choice.
    package init(_ environment: [String: String], options: [OptionFact]) throws(RigError) {
        for name in Self.choices where environment[name]?.allSatisfy(\.isWhitespace) ?? false {
            throw RigError(
                .usage,
                "\(name) is set and empty, and chooses what is tested (is a variable of a script"
                    + " empty?): give it a value, or unset it")
        }
        let options = options.filter { $0.isSetting && $0 != .command }
        let known = Self.others.union(options.map(\.variable))
        let unknown = environment.keys.filter { $0.hasPrefix("RIG_") && !known.contains($0) }
        notes = unknown.sorted().map { name in
            let near = name.nearest(among: known.sorted())
            return "\(name) sets no option" + (near.map { "; did you mean \($0)?" } ?? "")
        }
        for option in options {
            guard let text = environment[option.variable], !text.isEmpty else { continue }
            guard !option.isFlag || ["true", "false"].contains(text) else {
                throw RigError(
                    .usage, "\(option.variable) is '\(text)'; give true or false, or unset it")
            }
            let values = option.isRepeating ? text.split(separator: "\n").map(String.init) : [text]
            settings.append(Setting(option: option, values: values, source: option.variable))
        }
    }
}
