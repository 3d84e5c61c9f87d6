/// What a client sends is no request that may be answered as asked, so that its connection ends.
package struct MalformedRequest: Error, Sendable, Hashable {
    package let status: Int
    package let reason: String
    /// True if the answer may have no body.
    package internal(set) var isHead = false

    init(_ reason: String, status: Int = 400) { (self.reason, self.status) = (reason, status) }

    /// The head and the body of an answer that says so; the connection has to end after them.
    package func answer(by clock: WallClock) -> (head: [UInt8], body: [UInt8]) {
        let text = Array("\(reason)\n".utf8)
        let head = ResponseHead(
            status,
            fields: ["Content-Type": "text/plain; charset=utf-8", "Connection": "close"],
            length: Int64(text.count))
        let request = RequestHead(fields: ["Connection": "close"])
        return (head.bytes(answering: request, by: clock), isHead ? [] : text)
    }
}
