internal import Dispatch
internal import VideoCache

/// Sends requests without a condition, and makes every response look like the cached version.
struct StitchingTransport: HTTPTransport {
    let base: any HTTPTransport

    func perform(
        _ request: HTTPRequest, handler: any HTTPResponseHandler, cancellation: Cancellation
    ) throws {
        guard let known = request.ifRange else {
            return try base.perform(request, handler: handler, cancellation: cancellation)
        }
        var blind = request
        blind.ifRange = nil
        try base.perform(
            blind, handler: Disguise(base: handler, validator: known), cancellation: cancellation)
    }

    private final class Disguise: HTTPResponseHandler {
        private let base: any HTTPResponseHandler
        private let validator: String

        init(base: any HTTPResponseHandler, validator: String) {
            self.base = base
            self.validator = validator
        }

        func head(_ head: HTTPResponseHead) throws {
            var head = head
            head.headers["etag"] = validator.hasPrefix("\"") ? validator : nil
            head.headers["last-modified"] = validator.hasPrefix("\"") ? nil : validator
            try base.head(head)
        }

        func body(_ bytes: UnsafeRawBufferPointer) throws { try base.body(bytes) }
    }
}

/// Sends every request for more than a probe's two bytes twice, at the same time.
///
/// The second response is discarded as it arrives: it costs as much as fetching without sharing a
/// running download.
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

        init(watcher: any RequestObserver) {
            self.watcher = watcher
        }

        func head(_ head: HTTPResponseHead) {}

        func body(_ bytes: UnsafeRawBufferPointer) { watcher.received(bytes.count) }
    }
}
