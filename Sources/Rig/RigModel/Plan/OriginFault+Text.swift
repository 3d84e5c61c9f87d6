package import OriginFaults

/// How a fault of the origin is written: `NAME[:ARG][:TIMES]`.
extension OriginFault {
    /// Parses a fault such as `latency:50ms`, `ignore_range` or `status:503:2`.
    package init(_ text: String) throws(OriginFaultError) {
        var parts = text.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
        let name = parts.removeFirst()
        guard let kind = Kind.allCases.first(where: { $0.facts.name == name }) else {
            throw .unknown(name)
        }
        let facts = kind.facts
        let hasValue = facts.value != .nothing && !parts.isEmpty
        let value = hasValue ? facts.value.read(parts.removeFirst()) : facts.value.fallback
        var times: Int?
        if facts.isCounted, !parts.isEmpty { times = Int(parts.removeFirst()) ?? 0 }
        guard let argument = value, times ?? 1 > 0, parts.isEmpty else {
            throw .badValue(text, kind)
        }
        self.init(kind, argument, times: times)
    }

    package var text: String {
        let value: String? =
            switch argument {
            case .none: nil
            case .milliseconds(let count): "\(count)ms"
            case .bytes(let count): ByteSize(bytes: count).name
            case .pace(let count): "\(ByteSize(bytes: count).name)/s"
            case .number(let number): "\(number)"
            case .word(let word): word
            }
        return ([kind.facts.name, value, times.map { "\($0)" }] as [String?]).compactMap { $0 }
            .joined(separator: ":")
    }
}

extension OriginFault: Codable {
    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        do {
            self = try OriginFault(text)
        } catch {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "\(error)")
        }
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }
}

package enum OriginFaultError: Error, Hashable, CustomStringConvertible {
    case unknown(String)
    /// The value or the number of times does not fit the fault.
    case badValue(String, OriginFault.Kind)

    package var description: String {
        switch self {
        case .unknown(let name):
            "there is no fault '\(name)'; "
                + name.advice(among: OriginFault.Kind.allCases.map(\.facts.name))
        case .badValue(let text, let kind):
            "'\(text)' is no \(kind.facts.name); write it \(kind.facts.usage)"
        }
    }
}

extension OriginFault.Form {
    fileprivate func read(_ text: String) -> OriginFault.Argument? {
        switch self {
        case .nothing: nil
        case .time: Self.milliseconds(text)
        case .size: Self.bytes(text)
        case .timeOrSize: Self.milliseconds(text) ?? Self.bytes(text)
        case .pace:
            (text.hasSuffix("/s") ? ByteSize(String(text.dropLast(2))) : ByteSize(text))
                .flatMap { $0.bytes > 0 ? .pace($0.bytes) : nil }
        case .status: Int(text).flatMap { (400...599).contains($0) ? .number($0) : nil }
        case .count: Int(text).flatMap { $0 > 0 ? .number($0) : nil }
        case .wrongRange:
            rawValue.dropFirst().split(separator: "|").contains(text[...]) ? .word(text) : nil
        }
    }

    /// The value when none is given; nil when one is required.
    fileprivate var fallback: OriginFault.Argument? {
        switch self {
        case .nothing: OriginFault.Argument.none
        case .count: .number(1)
        case .timeOrSize: .milliseconds(0)
        case .time, .size, .pace, .status, .wrongRange: nil
        }
    }

    /// The largest size allowed: larger than any video, and safe from overflow in additions.
    private static let mostBytes: Int64 = 1 << 40

    private static func bytes(_ text: String) -> OriginFault.Argument? {
        guard let size = ByteSize(text), (1...mostBytes).contains(size.bytes) else { return nil }
        return .bytes(size.bytes)
    }

    /// At most one hour: `50ms`, `2s`.
    private static func milliseconds(_ text: String) -> OriginFault.Argument? {
        let isMilliseconds = text.hasSuffix("ms")
        guard isMilliseconds || text.hasSuffix("s"),
            let number = Int64(text.dropLast(isMilliseconds ? 2 : 1)),
            (0...3_600_000).contains(number)
        else { return nil }
        let count = isMilliseconds ? number : number * 1000
        return count <= 3_600_000 ? .milliseconds(count) : nil
    }
}

extension OriginFault.Kind {
    /// All faults and what they do, in lines of at most 79 characters, for help of 80 columns.
    package static var table: String {
        allCases.map(\.facts).map { facts in
            var lines = ["  \(facts.usage)", "     "]
            for word in facts.summary.split(separator: " ") {
                if lines[lines.count - 1].count + word.count >= 79 { lines.append("     ") }
                lines[lines.count - 1] += " \(word)"
            }
            return lines.joined(separator: "\n")
        }.joined(separator: "\n")
    }
}
