/// How the end of a request's body is found (RFC 9112, 6.3).
enum RequestBody: Sendable, Hashable {
    /// After so many bytes.
    case bytes(Int)
    /// After the last of its chunks.
    case chunks

    /// Decides by the fields of a head; throws if they contradict each other: where another program
    /// saw another end, a part of the body would be a request of its own (11.2).
    init(of request: RequestHead) throws(MalformedRequest) {
        switch (request["Transfer-Encoding"], request["Content-Length"]) {
        case (nil, nil): self = .bytes(0)
        case (nil, let length?):
            guard length.isDecimal, let count = Int(length) else {
                throw MalformedRequest(
                    "the Content-Length is no one number; send the body's length")
            }
            self = .bytes(count)
        case (_?, _?):
            throw MalformedRequest(
                "there are a Content-Length and a Transfer-Encoding; send one of them")
        case (_?, nil):
            let codings = request.words(of: "Transfer-Encoding")
            guard request.version == "HTTP/1.1", codings.last == "chunked",
                codings.count(where: { $0 == "chunked" }) == 1
            else {
                throw MalformedRequest("the Transfer-Encoding does not say where the body ends")
            }
            guard codings.count == 1 else {
                throw MalformedRequest(
                    "only the transfer coding chunked is known here; send that", status: 501)
            }
            self = .chunks
        }
    }
}
