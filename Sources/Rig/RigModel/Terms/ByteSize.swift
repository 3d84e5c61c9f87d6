/// A number of bytes such as `512KB`, `10MB`, `4096`, in binary units: 1 KB = 1024 bytes.
package struct ByteSize: Sendable, Hashable, Codable, CustomStringConvertible {
    package let bytes: Int64

    package init(bytes: Int64) {
        precondition(bytes >= 0, "a size is never negative")
        self.bytes = bytes
    }

    /// Parses a size such as `512KB`; nil if the text is not a size.
    package init?(_ text: String) {
        let upper = text.uppercased()
        let units: [(suffix: String, factor: Int64)] = [
            ("KIB", 1 << 10), ("MIB", 1 << 20), ("GIB", 1 << 30),
            ("KB", 1 << 10), ("MB", 1 << 20), ("GB", 1 << 30),
            ("K", 1 << 10), ("M", 1 << 20), ("G", 1 << 30), ("B", 1), ("", 1),
        ]
        guard let unit = units.first(where: { upper.hasSuffix($0.suffix) }) else { return nil }
        let number = upper.dropLast(unit.suffix.count)
        guard !number.isEmpty, number.allSatisfy({ $0.isASCII && ($0.isNumber || $0 == ".") })
        else { return nil }
        if let whole = Int64(number) {
            let (product, overflow) = whole.multipliedReportingOverflow(by: unit.factor)
            guard !overflow else { return nil }
            bytes = product
            return
        }
        guard unit.factor > 1, let value = Double(number), value.isFinite,
            value * Double(unit.factor) < 9e18
        else { return nil }
        bytes = Int64((value * Double(unit.factor)).rounded())
    }

    /// The shortest exact form of the size: `512KB`, `1MB`, `1000`.
    package var name: String {
        let power = bytes == 0 ? 0 : min(bytes.trailingZeroBitCount / 10, 3)
        return "\(bytes >> (10 * power))\(["", "KB", "MB", "GB"][power])"
    }

    package var description: String { name }
}
