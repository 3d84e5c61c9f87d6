/// The trailing `free` box, which players skip, for any length (ISO/IEC 14496-12, 8.1.2).
struct FreeBox {
    static let minimumSize: Int64 = 8

    /// The header's bytes: 8, or 16 if the size needs 64 bits.
    let header: [UInt8]

    init(size: Int64) {
        let name: [UInt8] = Array("free".utf8)
        if let short = UInt32(exactly: size) {
            header = Self.bigEndian(short) + name
        } else {
            // A 32-bit size of 1 means that the real size follows the name.
            header = Self.bigEndian(UInt32(1)) + name + Self.bigEndian(UInt64(size))
        }
    }

    private static func bigEndian(_ value: some FixedWidthInteger) -> [UInt8] {
        withUnsafeBytes(of: value.bigEndian) { Array($0) }
    }
}
