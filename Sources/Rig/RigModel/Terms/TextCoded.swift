/// A value that is stored as the text by which users name it.
package protocol TextCoded: Codable {
    /// What it is, for the error about another text.
    static var kind: String { get }
    var text: String { get }
    init?(_ text: String)
}

extension TextCoded {
    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        guard let value = Self(text) else {
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: "'\(text)' is no \(Self.kind)")
        }
        self = value
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }
}
