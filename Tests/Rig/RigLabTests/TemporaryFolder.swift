import Fixture
import Foundation
import RigModel
import SystemPackage
import Testing

@testable import RigLab

/// Appends a text to a file, which is made where there is none.
func append(_ text: String, to path: String) throws {
    let file = try path.opened(.writeOnly, [.create, .append])
    defer { try? file.close() }
    try file.writeAll(text.utf8)
}

/// Expects an error of the rig that says so.
func expectError(
    _ status: RigModel.ExitStatus, _ words: String..., at place: SourceLocation = #_sourceLocation,
    of body: () throws -> Void
) {
    let error = #expect(throws: RigError.self, sourceLocation: place) { try body() }
    let message = error?.message ?? ""
    #expect(error?.status == status, "\(message)", sourceLocation: place)
    for word in words where !word.isEmpty {
        #expect(message.contains(word), "\(message)", sourceLocation: place)
    }
}

/// A folder for one test, removed at its end.
final class TemporaryFolder {
    let path: String

    init() throws {
        path =
            FileManager.default.temporaryDirectory
            .appendingPathComponent("rig-lab-\(UUID())").path
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    func file(_ name: String) -> String { "\(path)/\(name)" }
}

/// A video with given bytes.
struct BytesVideo: VideoSource {
    let bytes: [UInt8]

    var length: Int64 { Int64(bytes.count) }
    var identity: String { "bytes-\(bytes.count)" }

    func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws {
        buffer.copyBytes(from: bytes[Int(offset)..<Int(offset) + buffer.count])
    }

    /// A video of this length, with each byte unlike its neighbours.
    static func pattern(_ count: Int) -> BytesVideo {
        BytesVideo(bytes: (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) })
    }
}
