extension HTTPResponseHead {
    var contentLength: Int64? {
        self["content-length"].flatMap { Int64($0) }.flatMap { $0 >= 0 ? $0 : nil }
    }

    /// True for several parts with their own heads in the body.
    var isMultipart: Bool {
        self["content-type"]?.lowercased().hasPrefix("multipart/byteranges") ?? false
    }

    private var isChunked: Bool {
        self["transfer-encoding"]?.lowercased().contains("chunked") ?? false
    }

    /// True if the body's end is told; else only that of the connection is its end (RFC 9112, 6.3).
    var isFramed: Bool { contentLength != nil || isChunked }

    /// Throws if the head announces a length that no body can have, which is then not known at all.
    func refuseUnreadableLength(url: String) throws(DownloadError) {
        guard let text = self["content-length"], !isFramed else { return }
        throw .notTheVideo(url: url, answer: .length(text))
    }

    // Besides `identity`: names of character sets, what S3 keeps of the form of an upload, and the
    // words of mail (RFC 2045). None of them is a coding of content, so servers that send them do
    // not encode.
    private static let noCodings: Set<Substring> = [
        "", "identity", "none", "binary", "7bit", "8bit", "aws-chunked", "utf-8", "utf8",
        "us-ascii", "ascii", "iso-8859-1", "latin1", "windows-1252",
    ]

    /// Throws unless the body is certainly not encoded (K2).
    package func refuseEncoding(url: String) throws(DownloadError) {
        let text = self["content-encoding"] ?? ""
        let codings = text.lowercased().split(separator: ",", omittingEmptySubsequences: false)
        guard !codings.allSatisfy({ Self.noCodings.contains($0.trimmingBlanks()) }) else { return }
        throw .encoded(url: url, encoding: text.lowercased())
    }

    /// Throws unless this answers a request for the whole of something of any type (K1).
    package func expectWhole(of url: String) throws(DownloadError) {
        var head = self
        if !head.isMultipart { head.headers["content-type"] = nil }
        let request = HTTPRequest(url: url, target: .whole, readSize: SavePolicy.maximumReadSize)
        _ = try ResponseJudge(request: request, start: 0, known: nil).judge(head)
    }

    /// How long to wait, by a readable `Retry-After`; a date is compared with the answer's own.
    var retryAfter: Duration? {
        guard let text = self["retry-after"] else { return nil }
        if let seconds = Int(text) { return seconds >= 0 ? .seconds(seconds) : nil }
        guard let then = HTTPDate.seconds(text), let now = self["date"].flatMap(HTTPDate.seconds)
        else { return nil }
        return .seconds(max(0, then - now))
    }
}
