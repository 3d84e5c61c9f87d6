import Testing

@testable import LoopbackHTTP

/// What a request's head says, and how an answer's is written.
@Suite struct HeadTests {
    private func request(_ lines: String...) throws -> RequestHead {
        try RequestHead(lines: lines)
    }

    @Test func aHeadIsTakenApart() throws {
        let head = try request(
            "get  /a%20b?c=d?e HTTP/1.1\r", "Host:  x:80 \r", "RANGE:bytes=0-\r", "a: 1\r",
            "A: 2\r", ": v\r", "no value:\r", "nonsense\r")
        #expect(head.method == "GET")
        #expect(head.target == "/a%20b?c=d?e")
        #expect(head.path == "/a%20b")
        #expect(head.query == "c=d?e")
        #expect(head.version == "HTTP/1.1")
        #expect(head["host"] == "x:80")
        #expect(head["Range"] == "bytes=0-")
        #expect(head["a"] == "2")
        #expect(head["no value"] == "")
        #expect(head["Accept"] == nil)
        #expect(try request("GET / HTTP/1.1").query == "")
    }

    @Test func anAnswersFieldsAreSorted() throws {
        let head = ResponseHead(
            206, "Partial Content", fields: ["ETag": "\"a\"", "Accept-Ranges": "bytes"], length: 5)
        let bytes = head.bytes(
            answering: try request("GET / HTTP/1.1", "Connection: keep-alive"))
        #expect(
            String(decoding: bytes, as: UTF8.self)
                == "HTTP/1.1 206 Partial Content\r\nAccept-Ranges: bytes\r\n"
                + "Connection: keep-alive\r\nContent-Length: 5\r\nETag: \"a\"\r\n\r\n")
    }

    @Test(
        arguments: [
            (["Content-Length": "9"], 0, "Content-Length: 9\r\n"),
            ([:], 0, "Content-Length: 0\r\n"),
            ([:], nil, "Transfer-Encoding: chunked\r\n"),
            (["Connection": "close"], 1, "Connection: close\r\nContent-Length: 1\r\n"),
        ] as [([String: String], Int64?, String)])
    func anAnswerSaysHowItsBodyEnds(
        fields: [String: String], length: Int64?, expected: String
    ) throws {
        let head = ResponseHead(200, "OK", fields: fields, length: length)
        let bytes = head.bytes(answering: try request("GET / HTTP/1.1"))
        #expect(String(decoding: bytes, as: UTF8.self) == "HTTP/1.1 200 OK\r\n\(expected)\r\n")
    }

    /// The connection is about to be closed, so the head does not say that it stays open.
    @Test func aConnectionThatEndsIsNotConfirmed() throws {
        let bytes = ResponseHead(200, "OK", length: 0)
            .bytes(answering: try request("GET / HTTP/1.1", "Connection: close"))
        #expect(
            String(decoding: bytes, as: UTF8.self)
                == "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
    }
}
