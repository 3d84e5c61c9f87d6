extension OriginFault {
    /// The faults, in the order of the table that `rig serve --help` prints.
    package enum Kind: Sendable, Hashable, CaseIterable {
        case latency, bandwidth, slowClose, resetPeer, slicer, limitData
        case ignoreRange, earlyRange, unknownTotal, ignoreIfRange, refuseIfRange
        case changeETag, changed, shortened, longer, moved
        case weakETag, noValidators, lastModifiedOnly, edges
        case wrongContentRange, noLength, encode, redirect, redirectLoop, always416, notModified
        case truncate, overlong, reset, silent, slow, refuseHead, status, multipart
    }
}

extension OriginFault.Kind {
    package var facts: OriginFault.Facts {
        guard let facts = Self.catalogue[self] else {
            preconditionFailure("the catalogue of origin faults has no line for \(self)")
        }
        return facts
    }

    /// All that is known of each fault, but for what the origin does: that is `OriginFault.action`.
    private static let catalogue: [Self: OriginFault.Facts] = [
        .latency: .init(
            name: "latency", value: .time, isCounted: false, isHarmless: true,
            does: "every byte and the end arrive TIME later"),
        .bandwidth: .init(
            name: "bandwidth", value: .pace, isCounted: false, isHarmless: true,
            does: "each connection goes at RATE at most"),
        .slowClose: .init(
            name: "slow_close", value: .time, isCounted: false, isHarmless: true,
            does: "the end of a connection is passed on TIME later"),
        .resetPeer: .init(
            name: "reset_peer", value: .timeOrSize,
            does: """
                connections are reset TIME after their first byte (0ms: before any is delivered), \
                or once SIZE bytes were delivered
                """),
        .slicer: .init(
            name: "slicer", value: .size, isCounted: false, isHarmless: true,
            does: "bytes are passed on in pieces of SIZE"),
        .limitData: .init(
            name: "limit_data", value: .size,
            does: "connections are closed once SIZE bytes were delivered"),
        .ignoreRange: .init(
            name: "ignore_range", needs: .range, onset: .relaunch, objection: noResumption,
            does: "a range request is answered by 200 and the whole"),
        .earlyRange: .init(
            name: "early_range", needs: .range, onset: .relaunch, objection: noResumption,
            does: "a 206 begins 1000 bytes earlier than asked, and says so"),
        .unknownTotal: .init(
            name: "unknown_total", needs: .range, onset: .relaunch, objection: noResumption,
            does: "a 206 names no total (RFC 9110, 14.4)"),
        .ignoreIfRange: .init(
            name: "ignore_if_range", needs: .ifRange,
            does: "a range is answered by 206 whatever If-Range says; give changed as well"),
        .refuseIfRange: .init(
            name: "refuse_if_range", needs: .ifRange, onset: .relaunch, objection: noResumption,
            does: "a range with If-Range is answered by 200 and the whole"),
        .changeETag: .init(
            name: "change_etag", value: .count, isCounted: false,
            objection: """
                it is not known after which byte the version changed; use it with --workload \
                playback, where it changes at the relaunch, or --origin-fault changed for a download
                """,
            does: """
                after N requests (1) another version is served, as long, with another ETag, and \
                unlike the first in every byte
                """),
        .changed: .init(
            name: "changed", isCounted: false, onset: .relaunch, nextLength: .same,
            does: """
                a kill-test only: from the relaunch on another version is served, as long, with \
                another ETag and Last-Modified, and unlike the first in every byte
                """),
        .shortened: .init(
            name: "shortened", isCounted: false, onset: .relaunch, nextLength: .half,
            does: "a kill-test only: the same, and the new version is half as long"),
        .longer: .init(
            name: "longer", isCounted: false, onset: .relaunch, nextLength: .longer,
            does: "a kill-test only: the same, and the new version is longer by half"),
        .moved: .init(
            name: "moved", isCounted: false, onset: .relaunch,
            does: "302 leads to another path with the same video"),
        .weakETag: .init(
            name: "weak_etag", isCounted: false, hidesVersion: true, does: "the ETag is weak"),
        .noValidators: .init(
            name: "no_validators", isCounted: false, hidesVersion: true,
            does: "neither ETag nor Last-Modified"),
        .lastModifiedOnly: .init(
            name: "last_modified_only", isCounted: false,
            objection: """
                a careful worker fetches everything again then, and a kill-test holds it to \
                fetching what is missing only (C8)
                """, does: "Last-Modified, and no ETag"),
        .edges: .init(
            name: "edges", value: .count, isCounted: false, hidesVersion: true,
            does: """
                N more servers (1) answer in turn with the first, each with an ETag of its own for \
                the same bytes
                """),
        .wrongContentRange: .init(
            name: "wrong_content_range", value: .wrongRange, needs: .range,
            objection: noResumption,
            does: """
                a 206 begins 1000 bytes later or ends halfway, and says so; names a total 1000 \
                bytes too large; or has no Content-Range
                """),
        .noLength: .init(
            name: "no_length", objection: noResumption,
            does: "200 in chunks, with no length and no ranges"),
        .encode: .init(
            name: "encode", isCounted: false,
            objection: "the bytes on the wire are not the video's, and a kill-test counts those",
            does: "the bytes are gzip-encoded, asked for or not"),
        .redirect: .init(
            name: "redirect", value: .count,
            does: "N redirects (1) lead to each answer; TIMES counts each redirect"),
        .redirectLoop: .init(
            name: "redirect_loop", objection: "no worker can complete the video then",
            does: "every redirect leads to the next"),
        .always416: .init(
            name: "always_416", needs: .range, onset: .relaunch, objection: noResumption,
            does: "a range request is answered by 416"),
        .notModified: .init(
            name: "not_modified", needs: .range, objection: noResumption,
            does: "If-Range, or a range from beyond 0, is answered by 304"),
        .truncate: .init(
            name: "truncate", value: .size, onset: .relaunchIfCounted, breaksOff: true,
            does: "the connection is closed after SIZE bytes of a longer body"),
        .overlong: .init(
            name: "overlong", value: .size,
            objection:
                "the surplus may be taken for the next answer, and a right worker may fail then",
            does: """
                SIZE bytes more than announced are sent; the connection stays open for the next \
                request
                """),
        .reset: .init(
            name: "reset", value: .size, onset: .relaunchIfCounted, breaksOff: true,
            does: "the connection is reset after SIZE bytes of a longer body"),
        .silent: .init(
            name: "silent", value: .size, breaksOff: true,
            objection: "a worker may wait for longer than a kill-test waits for the worker",
            does: "nothing follows SIZE bytes of a longer body; the connection stays open"),
        .slow: .init(
            name: "slow", value: .pace, isCounted: false, isHarmless: true,
            does: "all bodies together go at RATE at most"),
        .refuseHead: .init(name: "refuse_head", does: "HEAD is answered by 405"),
        .status: .init(
            name: "status", value: .status, onset: .relaunchIfCounted,
            does: "requests are answered by CODE, 400 to 599"),
        .multipart: .init(
            name: "multipart", needs: .range, objection: noResumption,
            does: "a range request, also of one range, is answered by multipart/byteranges"),
    ]

    private static let noResumption =
        "a resumption cannot ask for exactly what is missing then, and a kill-test holds the "
        + "worker to that (C8)"
}
