internal import CCurl
internal import VideoCache

/// One request, with its redirects, as a libcurl easy handle.
final class CurlEasyHandle {
    let handle: UnsafeMutableRawPointer
    private let errorBuffer: UnsafeMutablePointer<CChar>
    private var headers: UnsafeMutablePointer<curl_slist>?
    private let request: HTTPRequest
    private let options: CurlTransport.Options
    private var fields = HTTPFields()

    var errorText: String { String(cString: errorBuffer) }

    /// The status with which a proxy has refused the tunnel to the origin; nil if none has.
    var tunnelRefusal: Int? {
        let status = rig_curl_tunnel_refusal(handle)
        return status == 0 ? nil : status
    }

    var sendsReferer: Bool { fields.names.contains { $0.lowercased() == "referer" } }

    /// The whole address that the last response leads to, percent-encoded where its bytes are no
    /// address's, as browsers do; nil if there is none.
    var redirect: String? {
        guard var place = rig_curl_redirect(handle) else { return nil }
        var address = ""
        while place.pointee != 0 {
            let byte = UInt8(bitPattern: place.pointee)
            let digits = String(byte, radix: 16, uppercase: true)
            switch byte {
            case 0x21...0x7E: address.unicodeScalars.append(Unicode.Scalar(byte))
            default: address += byte < 0x10 ? "%0" + digits : "%" + digits
            }
            place += 1
        }
        return address
    }

    /// Creates a request; `exchange` must live until the request has ended.
    init(
        request: HTTPRequest, options: CurlTransport.Options, exchange: CurlExchange
    ) throws(TransportError) {
        guard let handle = curl_easy_init() else {
            throw .failed(url: "libcurl", reason: "cannot make a request")
        }
        (self.handle, self.request, self.options) = (handle, request, options)
        errorBuffer = .allocate(capacity: Int(CURL_ERROR_SIZE))
        errorBuffer.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
        set(CURLOPT_ERRORBUFFER, errorBuffer)
        set(CURLOPT_URL, request.url)
        // Cookies that a redirect sets are sent to where it leads, and are forgotten with the handle.
        set(CURLOPT_COOKIEFILE, "")
        let isHome = options.home.map { HTTPHost.isSame($0, request.url) } ?? true
        send((isHome ? options.fields : HTTPFields()).overriding(request.fields))
        if let authorities = options.authorities {
            set(CURLOPT_CAINFO, authorities)
            // Otherwise the system's folder counts as well.
            set(CURLOPT_CAPATH, nil)
        }
        if let range = request.rangeHeader?.dropFirst("bytes=".count) {
            set(CURLOPT_RANGE, String(range))
        }
        if let tunnel = options.tunnel {
            set(CURLOPT_PROXY, tunnel)
            set(CURLOPT_NOPROXY, "")
            rig_curl_set_long(handle, CURLOPT_HTTPPROXYTUNNEL, 1)
        }
        rig_curl_allow_web_only(handle)
        setNumbers(request: request, options: options)
        let context = Unmanaged.passUnretained(exchange).toOpaque()
        set(CURLOPT_WRITEDATA, context)
        set(CURLOPT_HEADERDATA, context)
        rig_curl_set_data_callback(handle, CURLOPT_WRITEFUNCTION, CurlExchange.takeBody)
        rig_curl_set_data_callback(handle, CURLOPT_HEADERFUNCTION, CurlExchange.takeHeader)
    }

    deinit {
        curl_easy_cleanup(handle)
        curl_slist_free_all(headers)
        errorBuffer.deallocate()
    }

    /// Makes the next request one to another address; fields of the caller, which may be secrets of
    /// the first host, are left out from here on if that is another one.
    func follow(_ address: String, isOtherHost: Bool) {
        set(CURLOPT_URL, address)
        if isOtherHost, !options.sendsFieldsToOtherHosts { send(HTTPFields()) }
    }

    func add(referer: String) {
        var more = fields
        try? more.set(referer, for: "Referer")
        send(more)
    }

    private func send(_ fields: HTTPFields) {
        self.fields = fields
        curl_slist_free_all(headers)
        headers = nil
        add(header: "Accept-Encoding: identity")
        if let etag = request.ifRange { add(header: "If-Range: \(etag)") }
        if let etag = request.ifNoneMatch { add(header: "If-None-Match: \(etag)") }
        if let date = request.ifModifiedSince { add(header: "If-Modified-Since: \(date)") }
        set(CURLOPT_USERAGENT, options.userAgent)
        set(CURLOPT_COOKIE, nil)
        for (name, value) in fields.list.map({ ($0.name, $0.value) }) {
            switch name.lowercased() {
            // As a header, it would be sent beside the cookies of a redirect.
            case "cookie": rig_curl_set_string(handle, CURLOPT_COOKIE, value.fieldBytes)
            // With a colon and nothing behind it, libcurl would leave the field out.
            default: add(header: value.isEmpty ? "\(name);" : "\(name): \(value)")
            }
        }
        set(CURLOPT_HTTPHEADER, headers)
    }

    private func setNumbers(request: HTTPRequest, options: CurlTransport.Options) {
        let connectTimeout = Int(options.connectTimeout / .milliseconds(1))
        let silence = max(1, Int(options.progressTimeout / .seconds(1)))
        let settings: [(CURLoption, Int)] = [
            (CURLOPT_NOSIGNAL, 1), (CURLOPT_CONNECTTIMEOUT_MS, connectTimeout),
            (CURLOPT_LOW_SPEED_LIMIT, 1), (CURLOPT_LOW_SPEED_TIME, silence),
            (CURLOPT_BUFFERSIZE, max(1024, request.readSize)),
            // What a proxy says of its tunnel is not the origin's.
            (CURLOPT_SUPPRESS_CONNECT_HEADERS, 1),
            // HTTP/2 reads ahead into its own buffers: bytes would leave the socket uncounted.
            (CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_1_1)),
        ]
        for (option, value) in settings { rig_curl_set_long(handle, option, value) }
    }

    private func add(header: String) {
        headers = curl_slist_append(headers, header.fieldBytes) ?? headers
    }

    private func set(_ option: CURLoption, _ value: String) {
        rig_curl_set_string(handle, option, value)
    }

    private func set(_ option: CURLoption, _ value: UnsafeMutableRawPointer?) {
        rig_curl_set_pointer(handle, option, value)
    }
}
