/// The bytes of header fields as text, each byte one character (ISO 8859-1).
///
/// They need not be UTF-8 (RFC 9110, 5.5). Read as such, all bytes that are none were the same
/// character, and two versions of a video had equal tags.
extension String {
    init(fieldBytes bytes: UnsafeRawBufferPointer) {
        if bytes.allSatisfy({ $0 < 0x80 }) {
            self.init(decoding: bytes, as: UTF8.self)
        } else {
            self.init(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
        }
    }

    /// The bytes to send, with a zero behind them; a text with other characters is UTF-8.
    var fieldBytes: [CChar] {
        let bytes = unicodeScalars.compactMap { UInt8(exactly: $0.value) }
        let isOneEach = bytes.count == unicodeScalars.count
        return ((isOneEach ? bytes : Array(utf8)) + [0]).map { CChar(bitPattern: $0) }
    }
}
