internal import RigModel

/// The values that fill a profile's placeholders.
struct WorkerPlaceholders: Sendable {
    let url: String
    let directory: String
    let output: String
    let policy: Policy
    /// Values of a command's own placeholders, by their names in braces.
    var more: [String: String] = [:]

    /// The arguments with every placeholder replaced; there is no shell, so nothing to quote.
    func fill(_ command: [String]) -> [String] {
        let values =
            [
                ("{url}", url), ("{dir}", directory), ("{output}", output),
                ("{threshold}", policy.name), ("{durability}", policy.durability.rawValue),
            ] + more.map { ($0.key, $0.value) }
        return command.map { argument in
            values.reduce(argument) { $0.replacingPlaceholder($1.0, with: $1.1) }
        }
    }
}

extension String {
    fileprivate func replacingPlaceholder(_ placeholder: String, with value: String) -> String {
        split(separator: placeholder, omittingEmptySubsequences: false).joined(separator: value)
    }
}
