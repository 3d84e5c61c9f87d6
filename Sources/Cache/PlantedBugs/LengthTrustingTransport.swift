internal import VideoCache

/// Makes the length look like an entity tag, where the origin sends no validator.
struct LengthTrustingTransport: HTTPTransport {
    let base: any HTTPTransport

    func perform(
        _ request: HTTPRequest, handler: any HTTPResponseHandler, cancellation: Cancellation
    ) throws {
        var blind = request
        // The origin knows no such tag.
        if request.ifRange?.hasPrefix(Tagged.mark) == true { blind.ifRange = nil }
        try base.perform(blind, handler: Tagged(base: handler), cancellation: cancellation)
    }

    private final class Tagged: HTTPResponseHandler {
        static let mark = "\"length-"

        private let base: any HTTPResponseHandler

        init(base: any HTTPResponseHandler) {
            self.base = base
        }

        func head(_ head: HTTPResponseHead) throws {
            var head = head
            let total = head["content-range"]?.split(separator: "/").last.map(String.init)
            if head["etag"] == nil, head["last-modified"] == nil,
                let length = total ?? head["content-length"]
            {
                head.headers["etag"] = Self.mark + length + "\""
            }
            try base.head(head)
        }

        func body(_ bytes: UnsafeRawBufferPointer) throws { try base.body(bytes) }
    }
}
