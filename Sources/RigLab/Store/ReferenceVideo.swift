internal import CXXHash
package import Fixture
internal import FixtureOrigin
package import Foundation
internal import RigModel

#if canImport(FoundationNetworking)
    internal import FoundationNetworking
#endif

/// The video that a run's worker downloads, and that every byte is compared with.
package struct ReferenceVideo: Sendable {
    /// What `--video` named, or `fixture`.
    package let source: String
    /// The last part of the URL under which the origin serves it.
    package let fileName: String
    /// Its bytes.
    package let bytes: any VideoSource
    /// Its type, by its name.
    package let contentType: String
    /// A strong entity tag that follows from its bytes.
    package let etag: String

    /// The fixture: a playable video of any size.
    ///
    /// - Throws: ``RigError`` with exit code 64 when no fixture can be so small.
    package static func fixture(seed: UInt64, length: Int64) throws -> ReferenceVideo {
        do {
            return ReferenceVideo(
                source: "fixture", fileName: "fixture.mp4",
                bytes: try FixtureVideo(seed: seed, length: length), contentType: "video/mp4",
                etag: "\"fixture-\(seed)-\(length)\"")
        } catch {
            throw RigError(.usage, "\(error)")
        }
    }

    /// A file of the user's, which is only read.
    ///
    /// - Throws: ``RigError`` with exit code 64 when it cannot be read.
    package static func file(_ path: String, named source: String) throws -> ReferenceVideo {
        let video: FileVideo
        let etag: String
        do {
            video = try FileVideo(path: path)
            etag = try entityTag(of: video)
        } catch {
            throw RigError(.usage, "cannot read the video \(path): \(error)")
        }
        guard video.length >= 3 else {
            throw RigError(
                .usage, "the video \(path) has \(video.length) bytes; a kill needs at least 3")
        }
        let name = URL(fileURLWithPath: source).lastPathComponent
        let safe = name.filter { $0.isASCII && ($0.isLetter || $0.isNumber || "-_.".contains($0)) }
        return ReferenceVideo(
            source: source, fileName: safe.isEmpty ? "video" : safe, bytes: video,
            contentType: contentType(of: safe), etag: etag)
    }

    /// Fetches a URL once and keeps it as `reference-video` in the run folder.
    ///
    /// - Throws: ``RigError`` with exit code 69 when it cannot be fetched; ``Interrupted``.
    package static func fetch(
        _ url: URL, into folder: RunFolder, unless interruption: Interruption
    ) async throws -> ReferenceVideo {
        let target = "\(folder.path)/reference-video"
        // URLSession keeps a download there first, and crashes where it cannot.
        guard FileManager.default.isWritableFile(atPath: NSTemporaryDirectory()) else {
            throw RigError(
                .unavailable,
                "\(NSTemporaryDirectory()) is no writable folder; name one with TMPDIR")
        }
        do {
            let (file, response) = try await download(url, unless: interruption)
            let status = (response as? HTTPURLResponse)?.statusCode ?? 200
            guard status == 200 else {
                throw RigError(
                    .unavailable, "\(url) answered \(status) instead of 200; check the address")
            }
            try FileManager.default.moveItem(at: file, to: URL(fileURLWithPath: target))
        } catch let error as RigError {
            throw error
        } catch let error as Interrupted {
            throw error
        } catch {
            throw RigError(
                .unavailable,
                "cannot fetch \(url): \(error.localizedDescription); check the address")
        }
        return try Self.file(target, named: url.lastPathComponent)
    }

    private static func download(
        _ url: URL, unless interruption: Interruption
    ) async throws -> (URL, URLResponse) {
        try await withThrowingTaskGroup(of: (URL, URLResponse)?.self) { group in
            group.addTask { try await URLSession.shared.download(from: url) }
            group.addTask {
                while !interruption.isRaised { try await Task.sleep(for: .milliseconds(50)) }
                return nil
            }
            defer { group.cancelAll() }
            guard let first = try await group.next(), let downloaded = first else {
                throw Interrupted()
            }
            return downloaded
        }
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
        var offset: Int64 = 0
        var buffer = [UInt8](repeating: 0, count: 1 << 20)
        while offset < video.length {
            let count = Int(min(Int64(buffer.count), video.length - offset))
            try buffer.withUnsafeMutableBytes { bytes in
                let piece = UnsafeMutableRawBufferPointer(rebasing: bytes[..<count])
                try video.read(into: piece, at: offset)
                hash = XXH3_64bits_withSeed(piece.baseAddress, count, hash)
            }
            offset += Int64(count)
        }
        return "\"\(String(hash, radix: 16))\""
    }
}
