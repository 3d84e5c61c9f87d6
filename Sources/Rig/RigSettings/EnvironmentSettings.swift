package import RigModel

/// The settings from `RIG_*` environment variables.
package struct EnvironmentSettings: Sendable, Hashable {
    /// The settings, in the order of the catalogue.
    package let settings: [Setting]
    /// Variables that look like settings but are not, each with a suggestion.
    package let notes: [String]

    /// The rig's own variables that are not settings.
    private static let others: Set = [
        "RIG_CONFIG", "RIG_PROFILE", "RIG_WITNESS", "RIG_RUN", "RIG_OWNER", "RIG_BINARIES",
        "RIG_WARNINGS_AS_ERRORS",
    ]

    /// Variables that choose what is tested: with an empty one, something else would be tested
    /// instead.
    private static let choices = [
        "RIG_WORKER", "RIG_WORKLOAD", "RIG_FAULT", "RIG_PROFILE", "RIG_CONFIG",
    ]

    /// Reads the variables.
    ///
    /// A repeatable option has one value per line. An empty variable sets nothing, but one that
    /// chooses what is tested must not be empty.
    ///
    /// - Throws: ``RigModel/RigError`` with exit code 64 for a flag that is neither true nor false,
    ///   and for an empty choice.
    package init(_ environment: [String: String], catalogue: OptionCatalogue) throws(RigError) {
        for name in Self.choices where environment[name]?.allSatisfy(\.isWhitespace) ?? false {
            throw RigError(
                .usage,
                "\(name) is set and empty, and chooses what is tested (is a variable of a script"
                    + " empty?): give it a value, or unset it")
        }
        var settings: [Setting] = []
        for option in catalogue.options {
            guard let text = environment[option.variable], !text.isEmpty else { continue }
            if option.kind == .flag, text != "true", text != "false" {
                throw RigError(
                    .usage, "\(option.variable) is '\(text)'; give true or false, or unset it")
            }
            let values =
                option.isRepeating
                ? text.split(separator: "\n").map(String.init).filter { !$0.isEmpty } : [text]
            settings.append(
                Setting(option.name, values, source: .environment(option.variable)))
        }
        self.settings = settings
        let known = Set(catalogue.options.map(\.variable)).union(Self.others)
        notes = environment.keys.filter { $0.hasPrefix("RIG_") && !known.contains($0) }.sorted()
            .map { name in
                let near = Spelling.nearest(to: name, among: known.sorted())
                return "\(name) sets no option" + (near.map { "; did you mean \($0)?" } ?? "")
            }
    }
}
