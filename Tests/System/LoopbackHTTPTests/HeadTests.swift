import Testing

@testable import LoopbackHTTP

@Suite struct HeadTests {
    private func request(_ lines: String...) throws -> RequestHead {
        try RequestHead(lines: lines.map { Array($0.utf8)[...] })
    }

    @Test func aHeadIsTakenApart() throws {
        let head = try request(
            "GET /a%20b?c=d?e HTTP/1.1", "Host:  x:80 \t", "RANGE:bytes=0-", "a: 1", "A: 2",
            "none:")
        #expect(head.method == "GET" && head.target == "/a%20b?c=d?e")
        #expect(head.path == "/a%20b" && head.query == "c=d?e")
        #expect(head.version == "HTTP/1.1" && head["host"] == "x:80")
        #expect(head["Range"] == "bytes=0-" && head["a"] == "1, 2")
        #expect(head["none"] == "" && head["Accept"] == nil)
        #expect(try request("GET / HTTP/1.1", "Host: x").query == "")
    }

    /// Upper and lower case of a method differ (RFC 9110, 9.1), and a later minor version of HTTP/1 is
    /// answered like the last that is known (2.5).
    @Test func aHeadIsTakenAsItIs() throws {
        #expect(try request("get / HTTP/1.0").method == "get")
        #expect(try request("GET / HTTP/1.7", "Host: x").version == "HTTP/1.1")
    }

    /// RFC 9112, 3.2.2: the host of a whole address counts, and the field's does not.
    @Test(arguments: [
        ("http://a.example/v?q", "/v?q", "a.example"), ("http://a.example", "/", "a.example"),
        ("HTTP://127.0.0.1:80?q", "/?q", "127.0.0.1:80"), ("https://[::1]:8/a", "/a", "[::1]:8"),
        ("/a", "/a", "x"), ("//a/b", "//a/b", "x"),
    ])
    func aWholeAddressNamesTheHost(target: String, path: String, host: String) throws {
        let head = try request("GET \(target) HTTP/1.1", "Host: x")
        #expect(head.target == path && head["Host"] == host)
    }

    /// Each byte of a value is one character, and becomes that byte again.
    @Test(arguments: [[0xE9], [0xC3, 0xA9], [0x65, 0xCC, 0x81], [0xFF, 0x80, 0xA0], [0x41]])
    func aValueIsItsBytes(bytes: [UInt8]) throws {
        let line = Array("ETag: \"".utf8) + bytes + Array("\"".utf8)
        let start = [Array("GET / HTTP/1.1".utf8)[...], Array("Host: x".utf8)[...]]
        let value = try #require(RequestHead(lines: start + [line[...]])["ETag"])
        #expect(value.unicodeScalars.count == bytes.count + 2)
        let sent = ResponseHead(200, "OK", fields: ["ETag": value], length: 0)
            .bytes(answering: RequestHead(), by: ServerFixture.clock)
        #expect(sent.split(separator: 0x0A).contains { $0.dropLast().elementsEqual(line) })
    }

    @Test(arguments: [
        (0, "Thu, 01 Jan 1970 00:00:00 GMT"), (784_111_777, "Sun, 06 Nov 1994 08:49:37 GMT"),
        (951_782_400, "Tue, 29 Feb 2000 00:00:00 GMT"),
        (1_709_251_199, "Thu, 29 Feb 2024 23:59:59 GMT"),
        (1_709_251_200, "Fri, 01 Mar 2024 00:00:00 GMT"),
        (4_102_444_799, "Thu, 31 Dec 2099 23:59:59 GMT"),
        (4_107_542_400, "Mon, 01 Mar 2100 00:00:00 GMT"),
    ])
    func aDateIsWrittenAsHTTPDoes(seconds: Int64, date: String) {
        #expect(WallClock { seconds }.date == date)
    }

    @Test func anAnswersFieldsAreSorted() throws {
        let head = ResponseHead(
            206, "Partial Content", fields: ["ETag": "\"a\"", "Accept-Ranges": "bytes"], length: 5)
        let bytes = head.bytes(
            answering: try request("GET / HTTP/1.1", "Host: x", "Connection: keep-alive"),
            by: ServerFixture.clock)
        #expect(
            String(decoding: bytes, as: UTF8.self)
                == "HTTP/1.1 206 Partial Content\r\nAccept-Ranges: bytes\r\n"
                + "Connection: keep-alive\r\nContent-Length: 5\r\n\(ServerFixture.date)ETag: \"a\"\r\n\r\n"
        )
    }

    @Test(
        arguments: [
            (["Content-Length": "9"], 0, "Content-Length: 9\r\n\(ServerFixture.date)"),
            ([:], 0, "Content-Length: 0\r\n\(ServerFixture.date)"),
            ([:], nil, "\(ServerFixture.date)Transfer-Encoding: chunked\r\n"),
            (["Date": "now"], 0, "Content-Length: 0\r\nDate: now\r\n"),
            (
                ["Connection": "close"], 1,
                "Connection: close\r\nContent-Length: 1\r\n\(ServerFixture.date)"
            ),
        ] as [([String: String], Int64?, String)])
    func anAnswerSaysHowItsBodyEnds(
        fields: [String: String], length: Int64?, expected: String
    ) throws {
        let head = ResponseHead(200, "OK", fields: fields, length: length)
        let bytes = head.bytes(
            answering: try request("GET / HTTP/1.1", "Host: x"), by: ServerFixture.clock)
        #expect(String(decoding: bytes, as: UTF8.self) == "HTTP/1.1 200 OK\r\n\(expected)\r\n")
    }

    /// The connection is about to be closed, so the head does not say that it stays open.
    @Test func aConnectionThatEndsIsNotConfirmed() throws {
        let bytes = ResponseHead(200, "OK", length: 0)
            .bytes(
                answering: try request("GET / HTTP/1.1", "Host: x", "Connection: close"),
                by: ServerFixture.clock)
        #expect(
            String(decoding: bytes, as: UTF8.self)
                == "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\(ServerFixture.date)\r\n")
    }
}
