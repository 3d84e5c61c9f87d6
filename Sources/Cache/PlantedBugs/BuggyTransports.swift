internal import Dispatch
internal import Foundation
internal import VideoCache

/// Ends the program, with the exit code of an orderly end, when a request is cancelled: of a download
/// only a signal cancels one.
struct AbruptTransport: HTTPTransport {
    let base: any HTTPTransport

    func perform(
        _ request: HTTPRequest, handler: any HTTPResponseHandler, cancellation: Cancellation
    ) throws {
        do {
            try base.perform(request, handler: handler, cancellation: cancellation)
        } catch TransportError.cancelled {
            _exit(143)
        }
    }
}

struct StitchingTransport: HTTPTransport {
    let base: any HTTPTransport

    func perform(
        _ request: HTTPRequest, handler: any HTTPResponseHandler, cancellation: Cancellation
    ) throws {
        guard let validator = request.ifRange else {
            return try base.perform(request, handler: handler, cancellation: cancellation)
        }
        var blind = request
        blind.ifRange = nil
        let disguise = OtherHead(of: handler) { head in
            head.headers["etag"] = validator.hasPrefix("\"") ? validator : nil
            head.headers["last-modified"] = validator.hasPrefix("\"") ? nil : validator
        }
        try base.perform(blind, handler: disguise, cancellation: cancellation)
    }
}

struct LengthTrustingTransport: HTTPTransport {
    private static let mark = "\"length-"

    let base: any HTTPTransport

    func perform(
        _ request: HTTPRequest, handler: any HTTPResponseHandler, cancellation: Cancellation
    ) throws {
        var blind = request
        // The origin knows no such tag.
        if request.ifRange?.hasPrefix(Self.mark) == true { blind.ifRange = nil }
        let tagged = OtherHead(of: handler) { head in
            let total = head["content-range"]?.split(separator: "/").last.map(String.init)
            guard head["etag"] == nil, head["last-modified"] == nil,
                let length = total ?? head["content-length"]
            else { return }
            head.headers["etag"] = Self.mark + length + "\""
        }
        try base.perform(blind, handler: tagged, cancellation: cancellation)
    }
}

private final class OtherHead: HTTPResponseHandler {
    private let base: any HTTPResponseHandler
    private let change: (inout HTTPResponseHead) -> Void

    init(of base: any HTTPResponseHandler, change: @escaping (inout HTTPResponseHead) -> Void) {
        (self.base, self.change) = (base, change)
    }

    func head(_ head: HTTPResponseHead) throws {
        var head = head
        change(&head)
        try base.head(head)
    }

    func body(_ bytes: UnsafeRawBufferPointer) throws { try base.body(bytes) }
}

/// Sends every request for more than a probe's two bytes twice, at the same time; the second
/// response is discarded as it arrives.
struct TwinTransport: HTTPTransport {
    let base: any HTTPTransport
    let observer: any CacheObserver

    func perform(
        _ request: HTTPRequest, handler: any HTTPResponseHandler, cancellation: Cancellation
    ) throws {
        let start: Int64
        switch request.target {
        case .whole: start = 0
        case .from(let position): start = position
        case .range(let range):
            guard range.length > 2 else {
                return try base.perform(request, handler: handler, cancellation: cancellation)
            }
            start = range.offset
        }
        let twin = Cancellation()
        let hasEnded = DispatchSemaphore(value: 0)
        try WorkThread.start { [base, observer] in
            let watcher = observer.requestBegan(url: request.url, start: start)
            do {
                try base.perform(request, handler: Sink(watcher: watcher), cancellation: twin)
                watcher.ended(.complete)
            } catch {
                watcher.ended(.failed("\(error)"))
            }
            hasEnded.signal()
        }
        defer { hasEnded.wait() }
        do {
            try base.perform(request, handler: handler, cancellation: cancellation)
        } catch {
            twin.cancel()
            throw error
        }
    }

    private final class Sink: HTTPResponseHandler {
        private let watcher: any RequestObserver

        init(watcher: any RequestObserver) { self.watcher = watcher }
        func head(_ head: HTTPResponseHead) {}
        func body(_ bytes: UnsafeRawBufferPointer) { watcher.received(bytes.count) }
    }
}
