extension OriginFault {
    /// The faults by name, in the order of the table that `rig serve --help` prints.
    package enum Kind: String, Sendable, Hashable, CaseIterable {
        case latency
        case bandwidth
        case slowClose = "slow_close"
        case resetPeer = "reset_peer"
        case slicer
        case limitData = "limit_data"
        case ignoreRange = "ignore_range"
        case earlyRange = "early_range"
        case unknownTotal = "unknown_total"
        case ignoreIfRange = "ignore_if_range"
        case refuseIfRange = "refuse_if_range"
        case changeETag = "change_etag"
        case changed
        case shortened
        case longer
        case moved
        case weakETag = "weak_etag"
        case noValidators = "no_validators"
        case lastModifiedOnly = "last_modified_only"
        case edges
        case wrongContentRange = "wrong_content_range"
        case noLength = "no_length"
        case encode
        case redirect
        case redirectLoop = "redirect_loop"
        case always416 = "always_416"
        case notModified = "not_modified"
        case truncate
        case overlong
        case reset
        case silent
        case slow
        case refuseHead = "refuse_head"
        case status
        case multipart
    }

    /// The kind of value that follows a fault's name.
    enum Form: Sendable, Hashable {
        case nothing
        case time
        case size
        case pace
        case status
        case timeOrSize
        case count
        case words([String])

        /// The value when none is given; nil when one is required.
        var fallback: Argument? {
            switch self {
            case .nothing: Argument.none
            case .count: .number(1)
            case .timeOrSize: .milliseconds(0)
            case .time, .size, .pace, .status, .words: nil
            }
        }

        /// The value that a text stands for; nil for an invalid text.
        func read(_ text: String) -> Argument? {
            switch self {
            case .nothing: nil
            case .time: Self.milliseconds(text)
            case .size: Self.bytes(text)
            case .timeOrSize: Self.milliseconds(text) ?? Self.bytes(text)
            case .pace:
                (text.hasSuffix("/s") ? ByteSize(String(text.dropLast(2))) : ByteSize(text))
                    .flatMap { $0.bytes > 0 ? .pace($0.bytes) : nil }
            case .status:
                Int(text).flatMap { (400...599).contains($0) ? .number($0) : nil }
            case .count: Int(text).flatMap { $0 > 0 ? .number($0) : nil }
            case .words(let words): words.contains(text) ? .word(text) : nil
            }
        }

        /// The largest size allowed: larger than any video, and safe from overflow in additions.
        private static let mostBytes: Int64 = 1 << 40

        private static func bytes(_ text: String) -> Argument? {
            guard let size = ByteSize(text), (1...mostBytes).contains(size.bytes) else {
                return nil
            }
            return .bytes(size.bytes)
        }

        /// At most one hour: `50ms`, `2s`.
        private static func milliseconds(_ text: String) -> Argument? {
            let isMilliseconds = text.hasSuffix("ms")
            guard isMilliseconds || text.hasSuffix("s"),
                let number = Int64(text.dropLast(isMilliseconds ? 2 : 1)),
                (0...3_600_000).contains(number)
            else { return nil }
            let count = isMilliseconds ? number : number * 1000
            return count <= 3_600_000 ? .milliseconds(count) : nil
        }
    }
}

extension OriginFault.Kind {
    var form: OriginFault.Form {
        switch self {
        case .latency, .slowClose: .time
        case .bandwidth, .slow: .pace
        case .slicer, .limitData, .truncate, .overlong, .reset, .silent: .size
        case .resetPeer: .timeOrSize
        case .changeETag, .redirect, .edges: .count
        case .status: .status
        case .wrongContentRange: .words(["later", "short", "total", "missing"])
        case .ignoreRange, .earlyRange, .unknownTotal, .ignoreIfRange, .refuseIfRange, .changed,
            .shortened, .longer, .moved, .weakETag, .noValidators, .lastModifiedOnly, .noLength,
            .encode, .redirectLoop, .always416, .notModified, .refuseHead, .multipart:
            .nothing
        }
    }

    /// Whether the fault can be limited to a number of times.
    var isCounted: Bool {
        switch self {
        case .latency, .bandwidth, .slowClose, .slicer, .changeETag, .changed, .shortened, .longer,
            .moved, .weakETag, .noValidators, .lastModifiedOnly, .edges, .encode, .slow:
            false
        case .resetPeer, .limitData, .ignoreRange, .earlyRange, .unknownTotal, .ignoreIfRange,
            .refuseIfRange, .wrongContentRange, .noLength, .redirect, .redirectLoop, .always416,
            .notModified, .truncate, .overlong, .reset, .silent, .refuseHead, .status, .multipart:
            true
        }
    }

    /// How the fault is written.
    package var usage: String {
        let value =
            switch form {
            case .nothing: ""
            case .time: ":TIME"
            case .size: ":SIZE"
            case .pace: ":RATE"
            case .status: ":CODE"
            case .timeOrSize: "[:TIME|SIZE]"
            case .count: "[:N]"
            case .words(let words): ":" + words.joined(separator: "|")
            }
        return rawValue + value + (isCounted ? "[:TIMES]" : "")
    }

    /// What the fault does, in one line.
    package var summary: String {
        switch self {
        case .latency: "every byte and the end arrive TIME later"
        case .bandwidth: "each connection goes at RATE at most"
        case .slowClose: "the end of a connection is passed on TIME later"
        case .resetPeer:
            "connections are reset TIME after their first byte (0ms: before any is delivered), "
                + "or once SIZE bytes were delivered"
        case .slicer: "bytes are passed on in pieces of SIZE"
        case .limitData: "connections are closed once SIZE bytes were delivered"
        case .ignoreRange:
            "a range request is answered by 200 and the whole; in a kill-test from the relaunch on"
        case .earlyRange:
            "a 206 begins 1000 bytes earlier than asked, and says so; in a kill-test from the "
                + "relaunch on"
        case .unknownTotal:
            "a 206 names no total (RFC 9110, 14.4); in a kill-test from the relaunch on"
        case .ignoreIfRange:
            "a range is answered by 206 whatever If-Range says; give changed as well"
        case .refuseIfRange:
            "a range with If-Range is answered by 200 and the whole; in a kill-test from the "
                + "relaunch on"
        case .changeETag:
            "after N requests (1) another version is served, as long, with another ETag, and "
                + "unlike the first in every byte"
        case .changed:
            "a kill-test only: from the relaunch on another version is served, as long, with another "
                + "ETag and Last-Modified, and unlike the first in every byte"
        case .shortened: "a kill-test only: the same, and the new version is half as long"
        case .longer: "a kill-test only: the same, and the new version is longer by half"
        case .moved:
            "302 leads to another path with the same video; in a kill-test from the relaunch on"
        case .weakETag: "the ETag is weak"
        case .noValidators: "neither ETag nor Last-Modified"
        case .lastModifiedOnly: "Last-Modified, and no ETag"
        case .edges:
            "N more servers (1) answer in turn with the first, each with an ETag of its own for the "
                + "same bytes"
        case .wrongContentRange:
            "a 206 begins 1000 bytes later or ends halfway, and says so; names a total 1000 bytes "
                + "too large; or has no Content-Range"
        case .noLength: "200 in chunks, with no length and no ranges"
        case .encode: "the bytes are gzip-encoded, asked for or not"
        case .redirect: "N redirects (1) lead to each answer; TIMES counts each redirect"
        case .redirectLoop: "every redirect leads to the next"
        case .always416:
            "a range request is answered by 416; in a kill-test from the relaunch on"
        case .notModified: "If-Range, or a range from beyond 0, is answered by 304"
        case .truncate: "the connection is closed after SIZE bytes of a longer body"
        case .overlong:
            "SIZE bytes more than announced are sent; the connection stays open for the next "
                + "request"
        case .reset: "the connection is reset after SIZE bytes of a longer body"
        case .silent: "nothing follows SIZE bytes of a longer body; the connection stays open"
        case .slow: "all bodies together go at RATE at most"
        case .refuseHead: "HEAD is answered by 405"
        case .status: "requests are answered by CODE, 400 to 599"
        case .multipart: "a range request, also of one range, is answered by multipart/byteranges"
        }
    }

    /// Why a kill-test cannot judge a worker under this fault; nil when it can.
    package var killTestObjection: String? {
        switch self {
        case .latency, .bandwidth, .slowClose, .resetPeer, .slicer, .limitData, .redirect,
            .truncate, .reset, .slow, .refuseHead, .status, .changed, .shortened, .longer, .moved,
            .ignoreIfRange, .noValidators, .weakETag, .edges:
            nil
        case .changeETag:
            "it is not known after which byte the version changed; use it with --workload "
                + "playback, where it changes at the relaunch, or --origin-fault changed for a "
                + "download"
        case .ignoreRange, .earlyRange, .unknownTotal, .refuseIfRange, .noLength, .notModified,
            .always416, .wrongContentRange, .multipart:
            "a resumption cannot ask for exactly what is missing then, and a kill-test holds the "
                + "worker to that (C8)"
        case .lastModifiedOnly:
            "a careful worker fetches everything again then, and a kill-test holds it to fetching "
                + "what is missing only (C8)"
        case .encode: "the bytes on the wire are not the video's, and a kill-test counts those"
        case .overlong:
            "the surplus may be taken for the next answer, and a right worker may fail then"
        case .redirectLoop: "no worker can complete the video then"
        case .silent: "a worker may wait for longer than a kill-test waits for the worker"
        }
    }

    /// True for faults that the kill-test itself applies at the relaunch of a download.
    package var isForRelaunch: Bool {
        switch self {
        case .changed, .shortened, .longer, .moved, .ignoreRange, .earlyRange, .unknownTotal,
            .refuseIfRange, .always416:
            true
        default: false
        }
    }

    /// True for faults that pass: limited to a number of times, they strike a download at its
    /// relaunch, and a program that gives up then is started again.
    package var isOutage: Bool { [.truncate, .reset, .status].contains(self) }

    /// True when the answers do not name a version by one strong validator.
    ///
    /// A worker then has to compare bytes, or to fetch everything again.
    package var hidesVersion: Bool { [.noValidators, .weakETag, .edges].contains(self) }

    /// True when the origin then serves another version of the video.
    package var isNewVersion: Bool { [.changed, .shortened, .longer].contains(self) }

    /// All faults and what they do, in lines of at most 79 characters: a longer line would wrap in
    /// a help text of 80 columns.
    package static var table: String {
        allCases.map { kind in
            var lines = ["  \(kind.usage)", "     "]
            for word in kind.summary.split(separator: " ") {
                if lines[lines.count - 1].count + word.count >= 79 { lines.append("     ") }
                lines[lines.count - 1] += " \(word)"
            }
            return lines.joined(separator: "\n")
        }.joined(separator: "\n")
    }
}
