/// The values of header fields are bytes (RFC 9110, 5.5); as text, each byte is one character, so
/// that two values are equal if their bytes are, and none is lost or changed.
extension String {
    /// The text of a field's bytes (ISO 8859-1).
    package init(fieldBytes bytes: some Collection<UInt8>) {
        if bytes.allSatisfy({ $0 < 0x80 }) {
            self.init(decoding: bytes, as: UTF8.self)
        } else {
            self.init(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
        }
    }

    /// The bytes of a field's text; a text with other characters is UTF-8.
    package var fieldBytes: [UInt8] {
        if utf8.allSatisfy({ $0 < 0x80 }) { return Array(utf8) }
        let bytes = unicodeScalars.compactMap { UInt8(exactly: $0.value) }
        return bytes.count == unicodeScalars.count ? bytes : Array(utf8)
    }
}

/// What bytes are allowed where.
extension UInt8 {
    /// True for the bytes of names (RFC 9110, 5.6.2).
    var isTokenByte: Bool { isLetterOrDigit || Self.tokenMarks.contains(self) }

    /// True for the bytes of a host and a port (RFC 3986, 3.2.2 and 3.2.3).
    var isHostByte: Bool { isLetterOrDigit || Self.hostMarks.contains(self) }

    /// True for a byte that no request begins with, not even a malformed one.
    var isNoText: Bool { self >= 0x7F || self < 0x20 && self != 0x09 && self != 0x0D }

    private static let tokenMarks = Array("!#$%&'*+-.^_`|~".utf8)
    private static let hostMarks = Array("-._~%!$&'()*+;=:[]".utf8)

    private var isLetterOrDigit: Bool {
        // Without the bit by which small letters differ.
        (0x30...0x39).contains(self) || (0x41...0x5A).contains(self & 0xDF)
    }
}
