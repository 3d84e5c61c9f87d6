internal import Foundation
internal import RigModel

struct VideoHead {
    /// Names of character sets and other words that servers send, of which none is an encoding.
    private static let noCodings: Set<String> = [
        "", "identity", "none", "binary", "7bit", "8bit", "aws-chunked", "utf-8", "utf8",
        "us-ascii", "ascii", "iso-8859-1", "latin1", "windows-1252",
    ]
    private static let documents: Set<String> = [
        "text/html", "text/xml", "text/json", "application/xml", "application/json",
    ]

    /// The status; 0 before there is one.
    private(set) var status = 0
    private var fields: [String: String] = [:]
    private var hasFrames = false

    /// Takes a line of a head; one with a status begins another head, as after a redirect.
    mutating func take(_ line: String) {
        if line.hasPrefix("HTTP/") {
            self = VideoHead()
            status = line.split { $0.isWhitespace }.dropFirst().first.flatMap { Int($0) } ?? 0
            hasFrames = !line.hasPrefix("HTTP/1")
            return
        }
        let parts = line.split(separator: ":", maxSplits: 1)
        guard parts.count == 2 else { return }
        let name = parts[0].lowercased()
        let value = parts[1].trimmingCharacters(in: .whitespacesAndNewlines)
        fields[name] = fields[name].map { $0 == value ? $0 : "\($0), \(value)" } ?? value
    }

    /// False for a head that another one follows.
    var isLast: Bool { !(100..<200).contains(status) && !(300..<400).contains(status) }

    var length: Int64? {
        fields["content-length"].flatMap { Int64($0) }.flatMap { $0 >= 0 ? $0 : nil }
    }

    /// True if the end can be told from a connection that breaks (RFC 9112, 6.3).
    var tellsEnd: Bool {
        hasFrames || length != nil
            || fields["transfer-encoding"]?.lowercased().contains("chunked") ?? false
    }

    /// Throws if the answer certainly is not the whole of a video as it is.
    func expectVideo(from url: String) throws(RigError) {
        guard status == 200 else { throw refusal(of: url) }
        let coding = fields["content-encoding"] ?? ""
        let words = coding.lowercased().split(separator: ",", omittingEmptySubsequences: false)
        try RigError.require(
            words.allSatisfy({ Self.noCodings.contains($0.trimmingCharacters(in: .whitespaces)) }),
            .unavailable,
            "\(url) is sent \(coding)-encoded, so its bytes are not the video's; turn that off")
        if let text = fields["content-length"], length == nil {
            throw RigError(.unavailable, "\(url) announces an impossible length of '\(text)' bytes")
        }
        if let range = fields["content-range"], !isAll(range) {
            // A cache on the way may have kept a part, and send it as the whole.
            throw RigError(
                .unavailable, "\(url) answered with a part of the video (\(range)); \(Self.byHand)")
        }
        if let type = fields["content-type"], Self.isNoVideo(type) {
            throw RigError.unavailable(
                "\(url) answered with \(type), which is no video: a login page, perhaps, or a "
                    + "notice; open the address in a browser, or \(Self.byHand)")
        }
    }

    /// What helps where another program gets what the rig does not.
    static let byHand = "fetch it yourself, and name the file"

    /// True for a `Content-Range` of all bytes, in the forms in which servers write it.
    private func isAll(_ range: String) -> Bool {
        let text = range.lowercased().filter { !$0.isWhitespace }
        guard let total = text.split(separator: "/").last.flatMap({ Int64($0) }), total > 0,
            total == length ?? total
        else { return false }
        return ["bytes", "bytes=", "bytes:", ""].contains { text == "\($0)0-\(total - 1)/\(total)" }
    }

    /// True for a page, data for programs, a picture, and several parts.
    ///
    /// Servers without a list of types call a video a text, or send no type.
    private static func isNoVideo(_ type: String) -> Bool {
        let name = type.lowercased().prefix { $0 != ";" && $0 != "," }
            .trimmingCharacters(in: .whitespaces)
        return documents.contains(name) || name.hasSuffix("+xml") || name.hasSuffix("+json")
            || name.hasPrefix("image/") || name.hasPrefix("multipart/")
    }

    /// The error for a status that brings no video: who refuses, and what helps.
    func refusal(of url: String) -> RigError {
        RigError(.unavailable, "\(url) answered \(status) instead of 200\(words)")
    }

    private var words: String {
        switch status {
        case 401, 403:
            ": its server wants a login or a header that the rig does not send; \(Self.byHand)"
        case 404, 410: ": there is nothing at this address; check the address"
        case 407:
            ": that is the proxy on the way (http_proxy, https_proxy), which wants a user name and "
                + "a password; put them into the proxy's address, http://USER:PASSWORD@HOST"
        case 408, 425, 429: ": it wants fewer requests\(pause); try again later"
        case 451: ": it may not be shown here, for legal reasons; ask its operator"
        case 500..<600: ": its server has a failure of its own\(pause); try again later"
        default: "; check the address, and whether a browser can open it"
        }
    }

    /// How long the server asks to be left alone: seconds, or until a date.
    private var pause: String {
        guard let time = fields["retry-after"], !time.isEmpty else { return "" }
        return ", and asks to be left alone \(Int(time) == nil ? "until \(time)" : "for \(time) s")"
    }

    static func remedy(forTunnel status: Int) -> String {
        switch status {
        case 407: "give its user name and password there, as http://NAME:PASSWORD@HOST:PORT"
        case 500...: "check that the proxy can reach the origin, and try again"
        default: "have it allow that, or name the host in no_proxy"
        }
    }
}
