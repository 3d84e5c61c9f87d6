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
