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
        var values = [
            "url": url, "dir": directory, "output": output, "threshold": policy.name,
            "durability": policy.durability.rawValue,
        ]
        for (name, value) in more { values[String(name.dropFirst().dropLast())] = value }
        return command.map { Placeholders.fill($0, with: values) }
    }
}
