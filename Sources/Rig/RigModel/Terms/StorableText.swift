extension String {
    /// The text as every file of a run holds it.
    ///
    /// Control characters but tab, line feed and carriage return become U+FFFD, so that their
    /// presence stays visible: XML cannot hold most of them, many readers of CSV stop at a NUL, and
    /// ESC could control the terminal of a reader of the file. The same goes for the few other
    /// characters that XML cannot hold.
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
