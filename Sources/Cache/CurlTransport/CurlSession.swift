internal import CCurl
internal import VideoCache

/// Connections that later requests reuse; lent to one thread at a time.
struct CurlSession: Sendable {
    // Safe because the pointer never changes, and only the thread that took the session from the
    // transport's locked list uses it.
    private nonisolated(unsafe) let multi: UnsafeMutableRawPointer

    // libcurl must be initialized once per process, first; a static value is initialized once.
    private static let globalCode = rig_curl_global_init()

    init() throws(TransportError) {
        guard Self.globalCode == CURLE_OK, let multi = curl_multi_init() else {
            throw .noLibrary(reason: String(cString: rig_curl_trouble()))
        }
        self.multi = multi
    }

    func close() { curl_multi_cleanup(multi) }

    /// Interrupts the current wait for the network, or the next one; any thread may call it.
    func wakeUp() { curl_multi_wakeup(multi) }

    /// Runs one request to its end; `patience` tells how many milliseconds to wait; nil ends it.
    func run(_ easy: CurlEasyHandle, patience: () -> Int32?) throws(TransportError) -> CURLcode? {
        guard curl_multi_add_handle(multi, easy.handle) == CURLM_OK else {
            throw .failed(url: "libcurl", reason: "cannot begin a request")
        }
        defer { curl_multi_remove_handle(multi, easy.handle) }
        while true {
            guard let milliseconds = patience() else { return nil }
            var running: Int32 = 0
            let code = curl_multi_perform(multi, &running)
            guard code == CURLM_OK else {
                throw .failed(url: "libcurl", reason: String(cString: curl_multi_strerror(code)))
            }
            if let result = finished() { return result }
            curl_multi_poll(multi, nil, 0, milliseconds, nil)
        }
    }

    private func finished() -> CURLcode? {
        var left: Int32 = 0
        while let message = curl_multi_info_read(multi, &left) {
            if message.pointee.msg == CURLMSG_DONE { return message.pointee.data.result }
        }
        return nil
    }
}
