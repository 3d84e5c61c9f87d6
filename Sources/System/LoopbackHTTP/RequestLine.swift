/// The first line of a request (RFC 9112, 3).
struct RequestLine {
    let method: String
    /// The target, in any of its forms.
    let target: String
    /// `HTTP/1.1`, also for a later minor version, or `HTTP/1.0`.
    let version: String

    init(_ line: ArraySlice<UInt8>) throws(MalformedRequest) {
        let words = line.split(separator: 0x20, omittingEmptySubsequences: false)
        guard words.count == 3, !words[0].isEmpty, words[0].allSatisfy(\.isTokenByte) else {
            throw MalformedRequest(
                "the first line is no request; send a method, a target and the version,"
                    + " with one blank between them")
        }
        method = String(fieldBytes: words[0])
        guard !words[1].isEmpty, words[1].allSatisfy({ $0 > 0x20 && $0 != 0x7F }),
            let text = String(validating: words[1], as: UTF8.self)
        else {
            throw MalformedRequest("the target has a byte that no address has; percent-encode it")
        }
        target = text
        version = try Self.version(words[2])
    }

    private static func version(_ word: ArraySlice<UInt8>) throws(MalformedRequest) -> String {
        let digits = word.dropFirst(5)
        let isDigit = { (byte: UInt8?) in byte.map { (0x30...0x39).contains($0) } ?? false }
        guard word.starts(with: Array("HTTP/".utf8)), digits.count == 3, isDigit(digits.first),
            digits.dropFirst().first == UInt8(ascii: "."), isDigit(digits.last)
        else {
            throw MalformedRequest(
                "'\(String(fieldBytes: word.prefix(20)))' is no version of HTTP; send HTTP/1.1")
        }
        guard digits.first == UInt8(ascii: "1") else {
            throw MalformedRequest(
                "\(String(fieldBytes: word)) is not spoken here; use HTTP/1.1", status: 505)
        }
        return digits.last == UInt8(ascii: "0") ? "HTTP/1.0" : "HTTP/1.1"
    }
}
