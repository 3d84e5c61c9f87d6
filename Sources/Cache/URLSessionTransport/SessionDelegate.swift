internal import Foundation
internal import Synchronization
internal import VideoCache

#if canImport(FoundationNetworking)
    internal import FoundationNetworking
#endif

/// Passes URLSession's callbacks to their exchange; it never blocks a callback.
///
/// Calling a completion handler of a cancelled task crashes the process on Linux. So none is called
/// once the exchange has ended, and a task is cancelled only after that.
final class SessionDelegate: NSObject, URLSessionDataDelegate {
    private let exchanges = Mutex<[Int: Exchange]>([:])

    /// Registers the exchange that receives the task's callbacks.
    func add(_ exchange: Exchange, for task: URLSessionTask) {
        exchanges.withLock { $0[task.taskIdentifier] = exchange }
    }

    /// Unregisters the task; its later callbacks are ignored.
    func remove(_ task: URLSessionTask) {
        _ = exchanges.withLock { $0.removeValue(forKey: task.taskIdentifier) }
    }

    private func exchange(of task: URLSessionTask) -> Exchange? {
        exchanges.withLock { $0[task.taskIdentifier] }
    }

    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
        guard let exchange = exchange(of: dataTask), let response = response as? HTTPURLResponse
        else { return }
        var headers: [String: String] = [:]
        for (name, value) in response.allHeaderFields {
            if let name = name as? String, let value = value as? String {
                headers[name] = Self.onlyOnce(value)
            }
        }
        exchange.take(HTTPResponseHead(status: response.statusCode, headers: headers)) {
            completionHandler(.allow)
        }
    }

    /// Undoes URLSession's joining of two fields with equal values to a list.
    private static func onlyOnce(_ value: String) -> String {
        let parts = Set(
            value.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) })
        return parts.count == 1 ? parts.first ?? value : value
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        exchange(of: dataTask)?.take(data)
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask,
        willPerformHTTPRedirection response: HTTPURLResponse, newRequest request: URLRequest,
        completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        guard let exchange = exchange(of: task) else { return }
        // On Linux, URLSession turns an address with another scheme into a path of the same origin.
        let location = response.value(forHTTPHeaderField: "Location").flatMap { URL(string: $0) }
        guard let url = request.url, WebAddress.isWeb(url),
            location.map({ $0.scheme == nil || WebAddress.isWeb($0) }) ?? true
        else {
            return exchange.end(.failed(.unsupportedAddress(url: exchange.url)))
        }
        exchange.takeRedirect { completionHandler(request) }
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?
    ) {
        guard let exchange = exchange(of: task) else { return }
        guard let error else { return exchange.end(.complete) }
        exchange.end(.failed(Self.transportError(error, of: task, url: exchange.url)))
    }

    private static func transportError(
        _ error: any Error, of task: URLSessionTask, url: String
    ) -> TransportError {
        let reason = error.localizedDescription
        let code = (error as? URLError)?.code
        let connection: Set<URLError.Code?> = [
            .cannotFindHost, .cannotConnectToHost, .dnsLookupFailed, .secureConnectionFailed,
            .serverCertificateUntrusted, .serverCertificateHasUnknownRoot,
        ]
        let address: Set<URLError.Code?> = [.unsupportedURL, .badURL]
        if code == .cancelled { return .cancelled }
        if connection.contains(code) { return .cannotConnect(url: url, reason: reason) }
        if code == .timedOut { return .timedOut(url: url) }
        if code == .httpTooManyRedirects { return .tooManyRedirects(url: url) }
        if address.contains(code) { return .unsupportedAddress(url: url) }
        return .failed(url: url, reason: reason)
    }
}
