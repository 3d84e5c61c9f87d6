/// More header fields of requests, such as a `Referer` that an origin wants.
///
/// They are secrets: they are never stored, and no text shows their values.
public struct HTTPFields: Sendable, Hashable {
    /// Why a field cannot be added; no text shows its value.
    public enum Refusal: Error, Hashable {
        /// There is no name with a colon behind it.
        case noName
        /// The cache sets this field itself.
        case ownField(name: String)
        /// The value has a control character.
        case controlCharacter(name: String)
    }

    /// The fields that the cache or its transport sets, in lower case.
    private static let own: Set = [
        "accept-encoding", "connection", "content-length", "expect", "host", "if-match",
        "if-modified-since", "if-none-match", "if-range", "if-unmodified-since", "keep-alive",
        "proxy-authorization", "proxy-connection", "range", "te", "trailer", "transfer-encoding",
        "upgrade",
    ]

    /// Names and values; of each name only one, and each byte of a value is one character.
    package private(set) var list: [Field] = []

    package struct Field: Sendable, Hashable {
        package let name: String
        package let value: String
    }

    /// Creates a list without fields.
    public init() {}

    /// The names of the fields.
    public var names: [String] { list.map(\.name) }

    /// Adds a field, in the place of one with the same name.
    ///
    /// - Parameters:
    ///   - value: the value; its bytes are sent if each is one character, or else as UTF-8.
    ///   - name: the name.
    /// - Throws: ``Refusal``.
    public mutating func set(_ value: String, for name: String) throws(Refusal) {
        guard !name.isEmpty, name.utf8.allSatisfy(Self.isNamePart) else { throw .noName }
        guard !Self.own.contains(name.lowercased()) else { throw .ownField(name: name) }
        guard
            value.unicodeScalars.allSatisfy({ $0 == "\t" || ($0.value >= 0x20 && $0 != "\u{7F}") })
        else { throw .controlCharacter(name: name) }
        list.removeAll { $0.name.lowercased() == name.lowercased() }
        list.append(Field(name: name, value: value))
    }

    /// Adds a field as it is written on a command line, `Name: value`.
    ///
    /// - Throws: ``Refusal``.
    public mutating func add(_ text: String) throws(Refusal) {
        guard let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")) else { throw .noName }
        var value = text.utf8[text.utf8.index(after: colon)...].drop { $0 == 0x20 || $0 == 0x09 }
        while let last = value.last, last == 0x20 || last == 0x09 { value.removeLast() }
        // Its bytes are sent as they were typed.
        let bytes = String(String.UnicodeScalarView(value.map { Unicode.Scalar($0) }))
        try set(bytes, for: String(text[..<colon]))
    }

    package func overriding(_ others: HTTPFields) -> HTTPFields {
        let mine = Set(names.map { $0.lowercased() })
        var all = self
        all.list = others.list.filter { !mine.contains($0.name.lowercased()) } + list
        return all
    }

    /// The bytes of names (RFC 9110, 5.6.2).
    private static func isNamePart(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
        default: Array("!#$%&'*+-.^_`|~".utf8).contains(byte)
        }
    }
}

extension HTTPFields: CustomStringConvertible, CustomReflectable {
    /// The names; the values are secrets.
    public var description: String {
        list.map { "\($0.name): (not shown)" }.joined(separator: ", ")
    }

    /// The names only, also for a debugger and for `dump`.
    public var customMirror: Mirror { Mirror(self, children: ["names": names]) }
}

extension HTTPFields.Refusal: CustomStringConvertible {
    /// What is wrong, and what to do.
    public var description: String {
        switch self {
        case .noName: "a header has no name; write it as 'Name: value'"
        case .ownField(let name): "the header \(name) is set by the cache itself; leave it out"
        case .controlCharacter(let name):
            "the value of the header \(name) has a control character; leave that out"
        }
    }
}
