import Foundation
import Testing
import TestSupport

@testable import Fixture

@Suite("The fixture video is a real MP4") struct PlayabilityTests {
    /// A top-level box: where it starts, its size and its name.
    struct Box: Equatable {
        var start: Int64
        var size: Int64
        var name: String
    }

    @Test(
        "The top-level boxes add up to the length",
        arguments: [
            FixtureVideo.minimumLength, FixtureVideo.minimumLength + 1, 10 << 20,
            FixtureVideo.clipLength + 0xFFFF_FFFF, FixtureVideo.clipLength + 0x1_0000_0000,
            6 << 30,
        ])
    func boxes(length: Int64) throws {
        let video = try FixtureVideo(seed: 5, length: length)
        let boxes = try Self.boxes(of: video)
        #expect(boxes.map(\.name) == ["ftyp", "moov", "free", "free", "mdat", "free"])
        let gap = boxes[2]
        #expect(gap.start + 8 == Clip.gap.lowerBound && gap.start + gap.size == Clip.gap.upperBound)
        let last = try #require(boxes.last)
        #expect(last.start == FixtureVideo.clipLength && last.start + last.size == length)
        let isLong = last.size > 0xFFFF_FFFF
        #expect(video.payloadStart == last.start + (isLong ? 16 : 8))
        #expect(try video.bytes(in: length - 1..<length).count == 1)
    }

    @Test(
        "ffmpeg decodes every frame of a 10 MiB fixture without a complaint",
        .enabled("ffmpeg and ffprobe are not installed") {
            Self.tool("ffmpeg") != nil && Self.tool("ffprobe") != nil
        },
        arguments: [UInt64(1), .max])
    func decodes(seed: UInt64) throws {
        let video = try FixtureVideo(seed: seed, length: 10 << 20)
        let file = FileManager.default.temporaryDirectory
            .appendingPathComponent("fixture-\(UUID().uuidString).mp4")
        try Data(video.bytes(in: 0..<video.length)).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }

        let probe = try Tool.run([
            "ffprobe", "-v", "error", "-count_frames", "-show_entries",
            "stream=codec_name,nb_read_frames", "-of", "csv=p=0", file.path,
        ])
        #expect(probe.words.split(separator: "\n").first == "h264,60", "\(probe.words)")
        #expect(probe.words.contains("aac,") && probe.status == 0)

        let decode = try Tool.run([
            "ffmpeg", "-v", "error", "-xerror", "-i", file.path, "-f", "null", "-",
        ])
        #expect(decode.words == "" && decode.status == 0)
    }

    private static func boxes(of video: FixtureVideo) throws -> [Box] {
        var boxes: [Box] = []
        var start: Int64 = 0
        while start < video.length {
            let header = try video.bytes(in: start..<start + 8)
            var size = header[..<4].reduce(Int64(0)) { $0 << 8 | Int64($1) }
            if size == 1 {
                let large = try video.bytes(in: start + 8..<start + 16)
                size = large.reduce(Int64(0)) { $0 << 8 | Int64($1) }
            }
            boxes.append(
                Box(start: start, size: size, name: String(decoding: header[4...], as: UTF8.self)))
            try #require(size >= 8)
            start += size
        }
        #expect(start == video.length)
        return boxes
    }

    private static func tool(_ name: String) -> URL? {
        let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
        return path.split(separator: ":")
            .map { URL(fileURLWithPath: String($0)).appendingPathComponent(name) }
            .first { FileManager.default.isExecutableFile(atPath: $0.path) }
    }
}
