/// The real, playable clip that every fixture video begins with.
enum Clip {
    /// How many bytes the clip has.
    static let count = Int64(ClipData.byteCount)

    /// The clip's bytes, decoded when first asked for.
    static let bytes: [UInt8] = ClipData.base64.withUTF8Buffer { text in
        Base64.decode(text, byteCount: ClipData.byteCount)
    }
}
