package import FixtureOrigin
package import RigModel

extension OriginFaults {
    /// The model's faults, as the origin carries them out.
    package init(_ faults: [OriginFault]) {
        self.init(
            http: faults.compactMap { fault in
                fault.httpKind.map { HTTPFault($0, times: fault.times) }
            },
            toxics: faults.compactMap(\.toxic))
    }
}

extension OriginFault {
    /// What the fault does to connections; nil for a fault of HTTP.
    fileprivate var toxic: Toxic? {
        switch (kind, argument) {
        case (.latency, .milliseconds(let count)): .latency(.milliseconds(count))
        case (.bandwidth, .pace(let bytes)): .bandwidth(bytesPerSecond: Double(bytes))
        case (.slowClose, .milliseconds(let count)): .slowClose(.milliseconds(count))
        case (.resetPeer, .milliseconds(let count)):
            .resetPeer(after: .milliseconds(count), connections: times)
        case (.resetPeer, .bytes(let bytes)): .resetPeerAt(bytes: bytes, connections: times)
        case (.slicer, .bytes(let bytes)): .slicer(bytes: Int(bytes))
        case (.limitData, .bytes(let bytes)): .limitData(bytes: bytes, connections: times)
        default: nil
        }
    }

    /// What the fault does to the origin's answers; nil for a fault of connections.
    fileprivate var httpKind: HTTPFault.Kind? {
        switch (kind, argument) {
        case (.ignoreRange, _): .ignoreRange
        case (.earlyRange, _): .earlyRange
        case (.unknownTotal, _): .unknownTotal
        case (.ignoreIfRange, _): .ignoreIfRange
        case (.refuseIfRange, _): .refuseIfRange
        case (.changeETag, .number(let requests)): .changeETag(afterRequests: requests)
        case (.weakETag, _): .weakETag
        case (.noValidators, _): .noValidators
        case (.lastModifiedOnly, _): .lastModifiedOnly
        case (.edges, .number(let more)): .edges(more: more)
        case (.wrongContentRange, .word(let word)):
            Self.wrongRange(word).map { .wrongContentRange($0) }
        case (.noLength, _): .noLength
        case (.encode, _): .encode
        case (.redirect, .number(let hops)): .redirect(hops: hops)
        case (.moved, _): .moved
        case (.redirectLoop, _): .redirectLoop
        case (.always416, _): .always416
        case (.notModified, _): .notModified
        case (.truncate, .bytes(let bytes)): .truncate(after: bytes)
        case (.overlong, .bytes(let bytes)): .overlong(by: bytes)
        case (.reset, .bytes(let bytes)): .reset(after: bytes)
        case (.silent, .bytes(let bytes)): .silent(after: bytes)
        case (.slow, .pace(let bytes)): .slow(bytesPerSecond: Double(bytes))
        case (.refuseHead, _): .refuseHead
        case (.status, .number(let code)): .status(code)
        case (.multipart, _): .multipart
        default: nil
        }
    }

    private static func wrongRange(_ word: String) -> HTTPFault.WrongContentRange? {
        switch word {
        case "later": .later
        case "short": .short
        case "total": .total
        case "missing": .missing
        default: nil
        }
    }
}
