internal import CXXHash
package import Fixture
internal import FixtureOrigin
package import Foundation
package import RigModel

/// The video that a run's workers download; every byte is compared with it.
package struct ReferenceVideo: Sendable {
    /// The value of `--video`, or `fixture`.
    package let source: String
    /// The last component of the URL under which the origin serves the video.
    package let fileName: String
    package let bytes: any VideoSource
    /// The media type, derived from the file name.
    package let contentType: String
    /// A strong entity tag, derived from the bytes.
    package let etag: String

    /// The fixture: a playable video of any size; throws exit code 64 when the length is too small.
    package static func fixture(seed: UInt64, length: Int64) throws -> ReferenceVideo {
        do {
            let video = try FixtureVideo(seed: seed, length: length).keptInMemory()
            return ReferenceVideo(
                source: "fixture", fileName: "fixture.mp4", bytes: video,
                contentType: "video/mp4", etag: "\"\(video.identity)\"")
        } catch {
            throw RigError(.usage, "\(error)")
        }
    }

    /// A file of the user's, which is only read; throws exit code 64 when it cannot be read.
    package static func file(_ path: String, named source: String) throws -> ReferenceVideo {
        let video: FileVideo
        let etag: String
        do {
            video = try FileVideo(path: path)
            etag = try entityTag(of: video)
        } catch {
            throw RigError(.usage, "cannot read the video \(path): \(error)")
        }
        try RigError.require(
            video.length >= 3, .usage,
            "the video \(path) has \(video.length) bytes; a kill needs at least 3")
        let url = isURL(source) ? URL(string: source) : nil
        let name = (url ?? URL(fileURLWithPath: source)).lastPathComponent
        let safe = name.filter { $0.isASCII && ($0.isLetter || $0.isNumber || "-_.".contains($0)) }
        return ReferenceVideo(
            source: source, fileName: safe.isEmpty ? "video" : safe, bytes: video,
            contentType: contentType(of: safe), etag: etag)
    }

    package static let standardLimit = ByteSize(bytes: 10 << 30)

    /// Fetches an http or https URL once, and keeps it in the run folder; a failed fetch leaves
    /// nothing there, and throws exit code 69, 64 for one longer than allowed, or 130.
    package static func fetch(
        _ url: URL, into folder: RunFolder, limit: ByteSize = standardLimit,
        unless interruption: Interruption, warn: (String) -> Void = { _ in }
    ) async throws -> ReferenceVideo {
        let target = "\(folder.path)/\(storedName)"
        let address = url.absoluteString
        let isEndTold = try await onOwnThread {
            Result {
                try VideoFetch.fetch(
                    address, to: target, limits: .init(most: limit.bytes), unless: interruption)
            }
        }.get()
        let video = try Self.file(target, named: address)
        if !isEndTold {
            warn(
                "\(address) never told its length: the connection was closed after "
                    + "\(video.bytes.length) bytes, which counts as the end; compare it if it must "
                    + "be whole")
        }
        return video
    }

    static let storedName = "reference-video"

    /// The video of a stored run, from its folder if that keeps it, with the same entity tag, so with
    /// the same bytes; throws exit code 65 when it is missing or has changed.
    package static func stored(
        _ video: Manifest.Video, folder: RunFolder?, fixtureSeed: UInt64
    ) throws -> ReferenceVideo {
        guard video.source != "fixture" else {
            return try same(.fixture(seed: fixtureSeed, length: video.length), as: video)
        }
        let kept = folder.map { "\($0.path)/\(storedName)" }
        if let kept, FileManager.default.fileExists(atPath: kept) {
            return try same(.file(kept, named: video.source), as: video)
        }
        let isURL = isURL(video.source)
        try RigError.require(
            !isURL && FileManager.default.fileExists(atPath: video.source), .data,
            "the video \(video.source) of the run is not there; "
                + (isURL
                    ? "name the run's own folder, which keeps it as \(storedName)"
                    : "start rig where the run was started, or put it back"))
        return try same(.file(video.source, named: video.source), as: video)
    }

    private static func isURL(_ source: String) -> Bool {
        ["http://", "https://"].contains { source.lowercased().hasPrefix($0) }
    }

    private static func same(
        _ found: ReferenceVideo, as video: Manifest.Video
    ) throws -> ReferenceVideo {
        try RigError.require(
            found.bytes.length == video.length && found.etag == video.etag, .data,
            "the video \(video.source) is not the one of the run any more: it has "
                + "\(found.bytes.length) bytes and digest \(found.etag), the run's had "
                + "\(video.length) and \(video.etag); "
                + (video.source == "fixture"
                    ? "use the version of rig that made it" : "put the run's video back"))
        return found
    }

    private static func contentType(of name: String) -> String {
        let types = [
            "mp4": "video/mp4", "m4v": "video/mp4", "mov": "video/quicktime", "webm": "video/webm",
            "mkv": "video/x-matroska", "ts": "video/mp2t", "mp3": "audio/mpeg", "m4a": "audio/mp4",
        ]
        let ending = name.split(separator: ".").last.map { $0.lowercased() } ?? ""
        return types[ending] ?? "application/octet-stream"
    }

    private static func entityTag(of video: any VideoSource) throws -> String {
        var hash: UInt64 = 0
        for start in stride(from: Int64(0), to: video.length, by: 1 << 20) {
            let piece = try video.bytes(in: start..<min(start + (1 << 20), video.length))
            hash = XXH3_64bits_withSeed(piece, piece.count, hash)
        }
        return "\"\(String(hash, radix: 16))\""
    }
}
