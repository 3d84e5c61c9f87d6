/// How the end of a request's body is found (RFC 9112, 6.3).
enum RequestBody: Sendable, Hashable {
    /// After so many bytes.
    case bytes(Int)
    /// After the last of its chunks.
    case chunks

    /// Decides by the fields of a head; throws if they contradict each other: where another program
    /// saw another end, a part of the body would be a request of its own (11.2).
    init(of request: RequestHead) throws(MalformedRequest) {
        var error: MalformedRequest
        switch (request["Transfer-Encoding"], request["Content-Length"]) {
        case (nil, nil):
            self = .bytes(0)
            return
        case (nil, let length?):
            if let count = Self.number(length) {
                self = .bytes(count)
                return
            }
            error = MalformedRequest("the Content-Length is no one number; send the body's length")
        case (_?, _?):
            error = MalformedRequest(
                "there are a Content-Length and a Transfer-Encoding; send one of them")
        case (_?, nil):
            let codings = request.words(of: "Transfer-Encoding")
            if codings == ["chunked"], request.version == "HTTP/1.1" {
                self = .chunks
                return
            }
            error =
                codings.last == "chunked" && codings.count(where: { $0 == "chunked" }) == 1
                    && request.version == "HTTP/1.1"
                ? MalformedRequest(
                    "only the transfer coding chunked is known here; send that", status: 501)
                : MalformedRequest("the Transfer-Encoding does not say where the body ends")
        }
        error.isHead = request.isHead
        throw error
    }

    /// A decimal number without a sign; nil for anything else, and for one beyond 63 bits.
    private static func number(_ text: String) -> Int? {
        guard !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
            return nil
        }
        return Int(text)
    }
}
