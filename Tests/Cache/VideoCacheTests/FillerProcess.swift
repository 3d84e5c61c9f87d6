import Foundation
import Glibc
import TestSupport
@testable import VideoCache

/// A separate process that fills a cache until it is killed.
final class FillerProcess {
    struct Failure: Error {
        let text: String
    }

    private let process = Process()
    private let steps = Pipe()

    init(folder: String, layout: StorageLayout, capacity: Int64, seed: UInt64) throws {
        process.executableURL = URL(fileURLWithPath: BuiltPrograms.path("CacheFiller"))
        process.arguments = [folder, layout.rawValue, "\(capacity)", "\(seed)"]
        process.standardOutput = steps
        try process.run(within: patience)
    }

    deinit {
        if process.isRunning { try? killNow() }
    }

    /// Waits until the process has done this many more operations.
    func waitForSteps(_ count: Int) throws {
        for _ in 0..<count {
            guard try steps.fileHandleForReading.read(upToCount: 1)?.count == 1 else {
                throw Failure(text: "it ended by itself, or stood still")
            }
        }
    }

    /// Kills the process, and checks that the kill is what ended it.
    func killNow() throws {
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
        guard process.terminationReason == .uncaughtSignal, process.terminationStatus == SIGKILL
        else { throw Failure(text: "it ended with status \(process.terminationStatus)") }
    }

    /// True if the bytes are those that the process saves there.
    static func isRight(_ bytes: [UInt8], at range: ByteRange, of video: CachedVideo) -> Bool {
        let version = video.information.etag.flatMap { Int($0.dropFirst().dropLast()) } ?? 0
        let shift = ((Int(video.url) ?? 0) * 7919 + version * 104_729) % (pattern.count / 2)
        return bytes.withUnsafeBytes { found in
            pattern.withUnsafeBytes { all in
                let right = all[Int(range.offset) + shift..<Int(range.end) + shift]
                guard let mine = found.baseAddress, found.count == right.count,
                    let theirs = UnsafeRawBufferPointer(rebasing: right).baseAddress
                else { return false }
                return memcmp(mine, theirs, found.count) == 0
            }
        }
    }

    private static let pattern = videoBytes(1 << 19)
}
