/// All promises, and the runs that judge them: what a file such as `bounds.yml` holds.
package struct PromiseCatalogue: Sendable, Hashable, Decodable {
    /// A run of `rig kill-test`.
    package struct Run: Sendable, Hashable {
        package let name: String
        package let options: [String]
    }

    /// The name of the source for figures that the rig measures itself.
    package static let rig = "rig"

    package let promises: [Promise]
    /// The documents' own tables, and which of the runs measure the same.
    package let documented: DocumentedTables?
    private let options: [String: String]

    enum CodingKeys: String, CodingKey {
        case promises, documented
        case options = "runs"
    }

    /// Each run once, in the order in which promises name them, and then the documents' tables.
    package var runs: [Run] {
        let names = (promises.flatMap(\.judgedBy) + (documented?.runs ?? [])).unique
        return names.filter { $0 != Self.rig }.compactMap { name in
            options[name].map {
                Run(name: name, options: $0.split(separator: " ").map(String.init))
            }
        }
    }
}
