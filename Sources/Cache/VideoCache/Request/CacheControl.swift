/// The directives of a `Cache-Control` field (RFC 9111, 5.2).
struct CacheControl {
    private var directives: [String: String?] = [:]

    /// The first of equal directives counts (4.2.1); text in quotes is an argument.
    init(_ value: String?) {
        for part in Self.parts(of: value ?? "") {
            let name = part.prefix { $0 != "=" }
            let key = name.trimmingBlanks().lowercased()
            guard !key.isEmpty, directives[key] == nil else { continue }
            guard name.endIndex < part.endIndex else {
                directives[key] = .some(nil)
                continue
            }
            var argument = String(part[part.index(after: name.endIndex)...].trimmingBlanks())
            if argument.count >= 2, argument.hasPrefix("\""), argument.hasSuffix("\"") {
                argument = String(argument.dropFirst().dropLast())
            }
            directives[key] = argument
        }
    }

    func has(_ name: String) -> Bool { directives[name] != nil }

    /// The seconds of a directive; nil if it is not there, 0 if it tells no number of seconds (4.2.1).
    func seconds(_ name: String) -> Int64? {
        guard let argument = directives[name] else { return nil }
        return argument.flatMap { Self.seconds($0) } ?? 0
    }

    /// The number of seconds that the text tells; nil if it is no such number (1.2.2).
    static func seconds(_ text: some StringProtocol) -> Int64? {
        guard text.isDecimal else { return nil }
        // What is too large to be represented counts as this (1.2.2).
        return min(Int64(text) ?? .max, 1 << 31)
    }

    func hasArgument(_ name: String) -> Bool { directives[name].flatMap(\.self) != nil }

    // A comma within quotes does not separate.
    private static func parts(of value: String) -> [Substring] {
        var isQuoted = false
        var isEscaped = false
        return value.split { character in
            defer { isEscaped = isQuoted && character == "\\" && !isEscaped }
            if character == "\"", !isEscaped { isQuoted.toggle() }
            return character == "," && !isQuoted
        }
    }
}

extension StringProtocol {
    /// True for digits alone, at least one: a sign is none.
    var isDecimal: Bool { !isEmpty && utf8.allSatisfy { (0x30...0x39).contains($0) } }
}
