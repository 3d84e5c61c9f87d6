import Foundation
import Testing

/// A film of 12 s and close to a megabyte, which ffmpeg makes from its test sources.
enum Film {
    /// Where the index is: before the media data, or after them.
    enum Layout: String, CaseIterable {
        case first, last

        fileprivate var file: String { "film-\(rawValue).mp4" }
    }

    // Each is made once for all tests, which takes a second or two.
    private static let first = Task { try await make(.first) }
    private static let last = Task { try await make(.last) }

    /// Puts the film into a folder, and returns its path.
    static func make(_ layout: Layout, in place: Workplace) async throws -> String {
        let made = try await (layout == .first ? first : last).value
        try FileManager.default.copyItem(
            atPath: made.path(layout.file), toPath: place.path(layout.file))
        return place.path(layout.file)
    }

    private static func make(_ layout: Layout) async throws -> Workplace {
        let place = Workplace()
        try await ffmpeg(
            [
                "-f", "lavfi", "-i", "testsrc2=size=640x360:rate=30", "-f", "lavfi", "-i",
                "sine=frequency=440:beep_factor=4", "-t", "12", "-c:v", "libx264", "-preset",
                "veryfast", "-pix_fmt", "yuv420p", "-b:v", "560k", "-maxrate", "600k", "-bufsize",
                "600k", "-c:a", "aac", "-b:a", "64k",
            ] + (layout == .first ? ["-movflags", "+faststart"] : [])
                + [place.path(layout.file)], in: place
        ).exits(0)
        return place
    }

    /// Runs ffmpeg, which stops at the first frame that it cannot decode.
    static func ffmpeg(
        _ arguments: [String], in place: Workplace
    ) async throws -> Programs.Outcome {
        try await Programs.run(
            try #require(installed("ffmpeg")), ["-v", "error", "-xerror"] + arguments,
            in: place.url)
    }
}
