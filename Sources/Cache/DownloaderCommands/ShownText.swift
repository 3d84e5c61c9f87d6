extension String {
    /// The text without the characters, but one, that could steer a terminal.
    func shown(keeping kept: Unicode.Scalar? = nil) -> String {
        String(
            String.UnicodeScalarView(
                unicodeScalars.map { scalar -> Unicode.Scalar in
                    let steers = scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value)
                    return steers && scalar != kept ? "?" : scalar
                }))
    }
}
