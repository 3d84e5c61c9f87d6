extension String {
    /// The text with U+FFFD for most control characters: XML cannot hold them, readers of CSV stop
    /// at a NUL, and ESC could control a reader's terminal.
    package var storable: String {
        unicodeScalars.allSatisfy(\.isStorable)
            ? self
            : String(
                String.UnicodeScalarView(unicodeScalars.map { $0.isStorable ? $0 : "\u{FFFD}" }))
    }
}

extension Unicode.Scalar {
    /// True for XML 1.0's `Char` without the discouraged control characters.
    package var isStorable: Bool {
        switch value {
        case 0x9, 0xA, 0xD: true
        case 0x20...0x7E, 0xA0...0xD7FF, 0xE000...0xFFFD, 0x10000...0x10FFFF: true
        default: false
        }
    }
}
