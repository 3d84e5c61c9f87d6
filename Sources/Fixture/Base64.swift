/// Decoding of Base64 (RFC 4648), enough for the clip that is compiled in.
enum Base64 {
    /// The bytes that a text stands for.
    ///
    /// Characters outside the alphabet (line breaks, padding) are passed over, as the text comes
    /// from this package's own source and not from a user.
    ///
    /// - Parameters:
    ///   - text: the Base64 text.
    ///   - byteCount: how many bytes at most to take.
    /// - Returns: the decoded bytes.
    static func decode(_ text: UnsafeBufferPointer<UInt8>, byteCount: Int) -> [UInt8] {
        let values = table()
        return [UInt8](unsafeUninitializedCapacity: byteCount) { bytes, filled in
            var bits: UInt32 = 0
            var bitCount = 0
            var count = 0
            for character in text where values[Int(character)] != skip && count < byteCount {
                bits = bits << 6 | UInt32(values[Int(character)])
                bitCount += 6
                if bitCount >= 8 {
                    bitCount -= 8
                    bytes.initializeElement(
                        at: count, to: UInt8(truncatingIfNeeded: bits >> UInt32(bitCount)))
                    count += 1
                }
            }
            filled = count
        }
    }

    private static let skip: UInt8 = 255

    /// The value of each character, `skip` for those outside the alphabet.
    private static func table() -> [UInt8] {
        var values = [UInt8](repeating: skip, count: 256)
        let alphabet: StaticString =
            "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
        alphabet.withUTF8Buffer { characters in
            for (value, character) in characters.enumerated() {
                values[Int(character)] = UInt8(value)
            }
        }
        return values
    }
}
