/// What sort of thing an answer is, as far as its `Content-Type` says so with certainty (K1).
///
/// Pages and pictures come with status 200 in the place of a video; videos also come as
/// `text/plain`, as `application/octet-stream` or without a type.
package enum MediaKind: Hashable {
    /// A page or data for programs: HTML, XML, JSON.
    case document
    /// Other text, which a server without a list of types also calls a video.
    case text
    case image
    case video
    /// Not known: no type, or one that says nothing.
    case other

    private static let documents: Set<Substring> = [
        "text/html", "application/xhtml+xml", "application/json", "text/json", "application/xml",
        "text/xml",
    ]

    // Names of files that hold nothing but video or sound.
    private static let suffixes: Set<Substring> = [
        "3gp", "aac", "avi", "flac", "flv", "m2ts", "m4a", "m4v", "mkv", "mov", "mp3", "mp4",
        "mpeg", "mpg", "oga", "ogg", "ogv", "opus", "wav", "webm", "wmv",
    ]

    /// The kind that a `Content-Type` tells; nil is no type.
    package init(contentType: String?) {
        let type = (contentType ?? "").lowercased().prefix { $0 != ";" && $0 != "," }
            .trimmingBlanks()
        if type.hasPrefix("image/") {
            self = .image
        } else if type.hasPrefix("video/") || type.hasPrefix("audio/") || type == "application/mp4"
        {
            self = .video
        } else if Self.documents.contains(type) || type.hasSuffix("+json")
            || (type.hasSuffix("+xml") && type != "application/dash+xml")
        {
            self = .document
        } else {
            self = type.hasPrefix("text/") ? .text : .other
        }
    }

    /// The kind that an address promises by the suffix of its path: `.video`, or nil.
    init?(address: String) {
        let path = address.prefix { $0 != "?" && $0 != "#" }
        // The first two parts are the scheme and the host.
        let name = path.split(separator: "/").dropFirst(2).last ?? ""
        let suffix = name.split(separator: ".", omittingEmptySubsequences: false).dropFirst().last
        guard let suffix, Self.suffixes.contains(Substring(suffix.lowercased())) else { return nil }
        self = .video
    }

    /// True if an answer of this kind certainly is no version of what was of the other kind.
    func cannotFollow(_ held: MediaKind) -> Bool {
        switch self {
        case .document, .image: held != self
        case .text: held == .video || held == .image
        case .video, .other: false
        }
    }
}

extension Substring {
    /// The text without the blanks, tabs and line ends around it.
    ///
    /// Other white space is a part of a value: as a byte, a no-break space is one too.
    package func trimmingBlanks() -> Substring {
        func isBlank(_ byte: UInt8) -> Bool { [0x20, 0x09, 0x0D, 0x0A].contains(byte) }
        var bytes = utf8.drop(while: isBlank)
        while let last = bytes.last, isBlank(last) { bytes.removeLast() }
        return Substring(bytes)
    }
}
