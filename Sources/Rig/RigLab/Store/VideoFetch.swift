internal import CCurl
internal import Foundation
internal import RigModel
internal import SystemPackage

/// Fetches a video from a URL into a file, once; a failed fetch leaves no file.
///
/// It uses libcurl, as the reference downloader does, but shares no code with the downloader.
/// Otherwise a bug in that code would also be in the video that the downloads are compared with.
final class VideoFetch {
    /// How much is fetched, how slowly it may arrive, and by which way.
    struct Limits: Sendable {
        let most: Int64
        /// How long less than 1 KB/s may come: a byte now and then would never end.
        var seconds = 60
        /// The proxy that leads to the origin by CONNECT; nil for that of the environment.
        var tunnel: String?
    }

    private let url: String
    private let file: FileDescriptor
    private let limits: Limits
    private var received: Int64 = 0
    /// The head of the latest response: after redirects, of the one with the body.
    private var head = VideoHead()
    private var hasHead = false
    private var refusal: RigError?

    private init(_ url: String, into file: FileDescriptor, limits: Limits) {
        (self.url, self.file, self.limits) = (url, file, limits)
    }

    /// Fetches a video; blocks, and ends within a tenth of a second of an interruption; false if
    /// only the end of the connection told where the video ends.
    @discardableResult
    static func fetch(
        _ url: String, to path: String, limits: Limits, unless interruption: Interruption
    ) throws -> Bool {
        let partial = path + ".partial"
        let file: FileDescriptor
        do {
            file = try partial.opened(.writeOnly, [.create, .truncate], for: .readByAll)
        } catch {
            throw RigError(.failure, "cannot write \(partial): \(error); name a writable folder")
        }
        defer {
            try? file.close()
            try? FileManager.default.removeItem(atPath: partial)
        }
        let fetch = VideoFetch(url, into: file, limits: limits)
        try fetch.run(unless: interruption)
        do {
            try FileManager.default.moveItem(atPath: partial, toPath: path)
        } catch {
            throw RigError(.failure, "cannot write \(path): \(error.localizedDescription)")
        }
        return fetch.head.tellsEnd
    }

    // libcurl requires this once per process, before any other call; a static is initialized once.
    private static let globalCode = rig_curl_global_init()

    private func run(unless interruption: Interruption) throws {
        guard Self.globalCode == CURLE_OK, let easy = curl_easy_init(),
            let multi = curl_multi_init()
        else { throw RigError(.unavailable, String(cString: rig_curl_trouble())) }
        let words = UnsafeMutablePointer<CChar>.allocate(capacity: Int(CURL_ERROR_SIZE))
        words.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
        defer {
            curl_multi_remove_handle(multi, easy)
            curl_easy_cleanup(easy)
            curl_multi_cleanup(multi)
            words.deallocate()
        }
        configure(easy, words: words)
        try RigError.require(
            curl_multi_add_handle(multi, easy) == CURLM_OK, .unavailable,
            "libcurl cannot begin a request")
        let code = try withExtendedLifetime(self) { try Self.drive(multi, unless: interruption) }
        if let refusal { throw refusal }
        guard code == CURLE_OK else {
            let status = rig_curl_tunnel_refusal(easy)
            throw status == 0
                ? failure(code, words: String(cString: words)) : failure(ofTunnel: status)
        }
        // A redirect without an address ends it as well.
        guard hasHead else { throw head.refusal(of: url) }
        try RigError.require(
            received > 0, .unavailable, "\(url) answered with no bytes; try again later")
    }

    private static func drive(
        _ multi: UnsafeMutableRawPointer, unless interruption: Interruption
    ) throws -> CURLcode {
        while true {
            if interruption.isRaised {
                throw RigError(
                    .interrupted, "interrupted while the video was fetched; nothing of it is kept")
            }
            var running: Int32 = 0
            let code = curl_multi_perform(multi, &running)
            try RigError.require(
                code == CURLM_OK, .unavailable,
                "libcurl: \(String(cString: curl_multi_strerror(code)))")
            var left: Int32 = 0
            while let message = curl_multi_info_read(multi, &left) {
                if message.pointee.msg == CURLMSG_DONE { return message.pointee.data.result }
            }
            curl_multi_poll(multi, nil, 0, 50, nil)
        }
    }

    private func configure(_ easy: UnsafeMutableRawPointer, words: UnsafeMutablePointer<CChar>) {
        rig_curl_set_pointer(easy, CURLOPT_ERRORBUFFER, words)
        rig_curl_set_string(easy, CURLOPT_URL, url)
        rig_curl_set_string(easy, CURLOPT_USERAGENT, "rig")
        // Cookies that a redirect sets are sent to where it leads.
        rig_curl_set_string(easy, CURLOPT_COOKIEFILE, "")
        if let tunnel = limits.tunnel {
            rig_curl_set_string(easy, CURLOPT_PROXY, tunnel)
            rig_curl_set_string(easy, CURLOPT_NOPROXY, "")
            rig_curl_set_long(easy, CURLOPT_HTTPPROXYTUNNEL, 1)
        }
        rig_curl_allow_web_only(easy)
        let settings: [(CURLoption, Int)] = [
            (CURLOPT_NOSIGNAL, 1), (CURLOPT_FOLLOWLOCATION, 1), (CURLOPT_MAXREDIRS, 10),
            // What a proxy says of its tunnel is not the origin's.
            (CURLOPT_SUPPRESS_CONNECT_HEADERS, 1), (CURLOPT_CONNECTTIMEOUT, 10),
            (CURLOPT_LOW_SPEED_LIMIT, 1024), (CURLOPT_LOW_SPEED_TIME, limits.seconds),
        ]
        for (option, value) in settings { rig_curl_set_long(easy, option, value) }
        let context = Unmanaged.passUnretained(self).toOpaque()
        rig_curl_set_pointer(easy, CURLOPT_WRITEDATA, context)
        rig_curl_set_pointer(easy, CURLOPT_HEADERDATA, context)
        rig_curl_set_data_callback(easy, CURLOPT_WRITEFUNCTION) { bytes, _, count, context in
            let body = UnsafeRawBufferPointer(start: bytes, count: count)
            return VideoFetch.hand(context) { try $0.take(body) } ? count : 0
        }
        rig_curl_set_data_callback(easy, CURLOPT_HEADERFUNCTION) { bytes, _, count, context in
            let line = UnsafeRawBufferPointer(start: bytes, count: count)
            let text = String(decoding: line, as: UTF8.self)
            return VideoFetch.hand(context) { try $0.take(header: text) } ? count : 0
        }
    }

    /// Passes received data to the fetch; false if the fetch has rejected the response.
    private static func hand(
        _ context: UnsafeMutableRawPointer?, _ body: (VideoFetch) throws -> Void
    ) -> Bool {
        guard let context else { return false }
        let fetch = Unmanaged<VideoFetch>.fromOpaque(context).takeUnretainedValue()
        do {
            try body(fetch)
            return true
        } catch {
            fetch.refusal = error as? RigError ?? RigError(.failure, "\(error)")
            return false
        }
    }

    // MARK: Received data

    /// Rejects a response that is not a whole video, or one that is too long.
    private func take(header line: String) throws(RigError) {
        // Trailers follow the body.
        guard !hasHead else { return }
        // The empty line ends a header.
        guard line == "\r\n" || line == "\n" else { return head.take(line) }
        guard head.isLast else { return }
        try head.expectVideo(from: url)
        try expectRoom(for: head.length ?? 0)
        hasHead = true
    }

    private func take(_ bytes: UnsafeRawBufferPointer) throws(RigError) {
        // The body of a redirect is ignored.
        guard hasHead else { return }
        try expectRoom(for: received + Int64(bytes.count))
        try SystemFailure.explained("cannot keep the video") { try file.writeAll(bytes) }
        received += Int64(bytes.count)
    }

    private func expectRoom(for length: Int64) throws(RigError) {
        try RigError.require(
            length <= limits.most,
            "\(url) is longer than \(ByteSize(bytes: limits.most)); allow more with --video-limit, "
                + "or name a shorter video")
    }

    private func failure(ofTunnel status: Int) -> RigError {
        RigError.unavailable(
            "the proxy of the environment (https_proxy) answered \(status) to the connection to "
                + "\(url); \(VideoHead.remedy(forTunnel: status))")
    }

    private func failure(_ code: CURLcode, words: String) -> RigError {
        let reason = words.isEmpty ? String(cString: curl_easy_strerror(code)) : words
        let text =
            switch code {
            case CURLE_OPERATION_TIMEDOUT where received > 0:
                "\(url) came too slowly (\(received) bytes so far); \(VideoHead.byHand)"
            case CURLE_OPERATION_TIMEDOUT:
                "\(url) did not answer in time; check the address and that it can be reached"
            case CURLE_PARTIAL_FILE: "\(url) ended after \(received) bytes; try again"
            case CURLE_WEIRD_SERVER_REPLY where head.status == 0,
                CURLE_UNSUPPORTED_PROTOCOL where head.status == 0:
                "what answers at \(url) does not speak HTTP; check the port, and whether the address "
                    + "begins with https"
            case CURLE_SSL_CONNECT_ERROR:
                "cannot fetch \(url): \(reason), as where this port does not speak https; check the "
                    + "port"
            case CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY, CURLE_COULDNT_CONNECT,
                CURLE_UNSUPPORTED_PROTOCOL, CURLE_URL_MALFORMAT, CURLE_TOO_MANY_REDIRECTS:
                "cannot fetch \(url): \(reason); check the address and that its server runs"
            default: "cannot fetch \(url): \(reason); try again, or \(VideoHead.byHand)"
            }
        return RigError(.unavailable, text)
    }
}
