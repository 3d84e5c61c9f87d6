extension HTTPResponseHead {
    /// Throws unless this answers a request for the whole of something, as is asked of a video (K1).
    ///
    /// Not by its type: what is wanted may be of any.
    package func expectWhole(of url: String) throws(DownloadError) {
        var head = self
        if !head.isMultipart { head.headers["content-type"] = nil }
        let request = HTTPRequest(url: url, target: .whole, readSize: SavePolicy.maximumReadSize)
        _ = try ResponseJudge(request: request, start: 0, known: nil).judge(head)
    }
}
