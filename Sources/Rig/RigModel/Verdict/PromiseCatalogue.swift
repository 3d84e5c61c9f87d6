/// All promises, and the runs that judge them: what a file such as `bounds.yml` holds.
package struct PromiseCatalogue: Sendable, Hashable, Decodable {
    /// A run of `rig kill-test`.
    package struct Run: Sendable, Hashable {
        /// The name that promises use for it.
        package let name: String
        package let options: [String]
    }

    /// The name of the source for figures that the rig measures itself.
    package static let rig = "rig"

    /// The promises, in order.
    package let promises: [Promise]
    /// The documents' own tables, and which of the runs measure the same.
    package let documented: DocumentedTables?
    /// The options of each run, by its name.
    private let options: [String: String]

    enum CodingKeys: String, CodingKey {
        case promises, documented
        case options = "runs"
    }

    /// Each run once, in the order in which promises name them, and then the documents' tables.
    package var runs: [Run] {
        var names: [String] = []
        for name in promises.flatMap(\.judgedBy) + (documented?.runs ?? [])
        where name != Self.rig && !names.contains(name) {
            names.append(name)
        }
        return names.compactMap { name in
            options[name].map {
                Run(name: name, options: $0.split(separator: " ").map(String.init))
            }
        }
    }
}

extension Promise.Limit: Decodable {
    enum CodingKeys: String, CodingKey {
        case measure, policy, video, at, within, least, most
    }

    /// Reads a limit; what it is about is one of the measures that the decoder was given.
    package init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        func wrong(_ key: CodingKeys, _ what: String) -> DecodingError {
            DecodingError.dataCorruptedError(forKey: key, in: fields, debugDescription: what)
        }
        let name = try fields.decode(String.self, forKey: .measure)
        let known = decoder.userInfo.values.compactMap { $0 as? [String: PromiseMeasure] }.first
        guard let measure = known?[name] else {
            let advice = name.advice(among: known?.keys.sorted() ?? [])
            throw wrong(.measure, "there is no measure '\(name)'; \(advice)")
        }
        let policy = try fields.decodeIfPresent(String.self, forKey: .policy)
        guard policy.map({ Policy($0) != nil }) ?? true else {
            throw wrong(.policy, "'\(policy ?? "")' is no policy; write a threshold or disabled")
        }
        self.init(
            measure: measure, policy: policy.flatMap { Policy($0)?.name },
            video: try fields.size(.video), at: try fields.size(.at),
            within: try fields.size(.within), least: try fields.number(.least),
            most: try fields.number(.most))
        guard least != nil || most != nil else {
            throw wrong(.measure, "a limit on \(name) needs least or most; write one")
        }
        guard measure.figure != .worstLossPercent || at != nil else {
            throw wrong(
                .measure, "a limit on \(name) needs at, the amount that it is a share of; write it")
        }
    }
}

extension KeyedDecodingContainer {
    /// A number, which may be written as a size, such as `512KB`; nil if the key is absent.
    func number(_ key: Key) throws -> Double? {
        guard let text = try decodeIfPresent(String.self, forKey: key) else { return nil }
        guard let value = Double(text) ?? ByteSize(text).map({ Double($0.bytes) }), value.isFinite
        else {
            throw DecodingError.dataCorruptedError(
                forKey: key, in: self,
                debugDescription: "'\(text)' is neither a number nor a size; write 5 or 512KB")
        }
        return value
    }

    /// The same as a whole number of bytes.
    func size(_ key: Key) throws -> Int64? { try number(key).map { Int64($0) } }
}
