extension HTTPResponseHead {
    /// Throws unless this answers a request for the whole of something of any type (K1).
    package func expectWhole(of url: String) throws(DownloadError) {
        var head = self
        if !head.isMultipart { head.headers["content-type"] = nil }
        let request = HTTPRequest(url: url, target: .whole, readSize: SavePolicy.maximumReadSize)
        _ = try ResponseJudge(request: request, start: 0, known: nil).judge(head)
    }
}
