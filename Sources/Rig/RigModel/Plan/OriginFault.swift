/// A fault of the origin, or of the connection to it, on request: `NAME[:ARG][:TIMES]`.
///
/// The first six names have toxiproxy's meaning and act on connections, from the origin to the
/// worker. The others act on HTTP. ``Kind`` has the whole table.
package struct OriginFault: Sendable, Hashable {
    /// The value after a fault's name.
    package enum Argument: Sendable, Hashable {
        case none
        case milliseconds(Int64)
        case bytes(Int64)
        /// Bytes per second.
        case pace(Int64)
        /// A number of requests or of redirects, or a status code.
        case number(Int)
        /// One of the words listed in the table.
        case word(String)
    }

    package let kind: Kind
    /// Its value; the default when none was given.
    package let argument: Argument
    /// The number of times it takes effect; nil for every time.
    ///
    /// Answers are counted per mount, so that each launch of a worker meets the fault; connections
    /// are counted over the origin's whole lifetime.
    package let times: Int?

    /// True when the kill-test itself applies it at the relaunch of a download.
    ///
    /// A fault limited to a number of times may be used up before it matters; one that passes is
    /// meant to.
    package var isForRelaunch: Bool { times == nil ? kind.isForRelaunch : kind.isOutage }

    /// Parses a fault such as `latency:50ms`, `ignore_range` or `status:503:2`.
    package init(_ text: String) throws(OriginFaultError) {
        var parts = text.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
        let name = parts.removeFirst()
        guard let kind = Kind(rawValue: name) else { throw .unknown(name) }
        let (form, isCounted) = (kind.form, kind.isCounted)
        var argument = form.fallback
        if form != .nothing, !parts.isEmpty {
            argument = form.read(parts.removeFirst())
            guard argument != nil else { throw .badValue(text, kind) }
        }
        guard let argument else { throw .badValue(text, kind) }
        var times: Int?
        if isCounted, !parts.isEmpty {
            times = Int(parts.removeFirst())
            guard let times, times > 0 else { throw .badValue(text, kind) }
        }
        guard parts.isEmpty else { throw .badValue(text, kind) }
        self.kind = kind
        self.argument = argument
        self.times = times
    }

    /// The fault as written on the command line.
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
        return ([kind.rawValue, value, times.map { "\($0)" }] as [String?]).compactMap { $0 }
            .joined(separator: ":")
    }
}

extension OriginFault: Codable {
    /// Reads the text form.
    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        do {
            self = try OriginFault(text)
        } catch {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "\(error)")
        }
    }

    /// Writes the text form.
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }
}

/// Why a text is not an origin fault.
package enum OriginFaultError: Error, Hashable, CustomStringConvertible {
    case unknown(String)
    /// The value or the number of times does not fit the fault.
    case badValue(String, OriginFault.Kind)

    package var description: String {
        switch self {
        case .unknown(let name):
            "there is no fault '\(name)'; "
                + name.advice(among: OriginFault.Kind.allCases.map(\.rawValue))
        case .badValue(let text, let kind):
            "'\(text)' is no \(kind.rawValue); write it \(kind.usage)"
        }
    }
}
