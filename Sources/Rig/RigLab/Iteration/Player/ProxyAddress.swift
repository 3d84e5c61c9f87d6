internal import Foundation
internal import RigModel

struct ProxyAddress: Sendable, Hashable {
    let port: UInt16
    /// The path before `/play`, for example one that web pages cannot guess; often empty.
    let path: String

    /// Parses `http://127.0.0.1:PORT`, with or without a path; nil for anything else.
    init?(line: some StringProtocol) {
        let prefix = "http://127.0.0.1:"
        guard line.hasPrefix(prefix), line.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            return nil
        }
        let parts = line.dropFirst(prefix.count).split(
            separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard let port = UInt16(parts[0]) else { return nil }
        self.port = port
        let path = parts.dropFirst().map { "/\($0)" }.joined()
        self.path = path.hasSuffix("/") ? String(path.dropLast()) : path
    }

    func request(for url: String, threshold: ByteSize? = nil, range: String) -> String {
        let wish = threshold.map { "threshold=\($0.name)&" } ?? ""
        return "GET \(path)/play?\(wish)url=\(Self.encoded(url)) HTTP/1.1\r\n"
            + "Host: 127.0.0.1:\(port)\r\nUser-Agent: rig\r\nConnection: close\r\n"
            + "Range: bytes=\(range)\r\n\r\n"
    }

    /// Percent-encodes all but the unreserved characters (RFC 3986, 2.3).
    static func encoded(_ url: String) -> String {
        let unreserved = CharacterSet.alphanumerics.union(CharacterSet(charactersIn: "-._~"))
        return url.addingPercentEncoding(withAllowedCharacters: unreserved) ?? url
    }
}
