import Foundation
import TestSupport

/// The curl program, which many clients are built on, if it is installed.
enum Curl {
    static let path = "/usr/bin/curl"

    static var isThere: Bool { FileManager.default.isExecutableFile(atPath: path) }

    struct Outcome: Sendable {
        let output: Data
        let exitCode: Int32
    }

    static func run(_ arguments: [String]) async throws -> Outcome {
        try await offPool {
            let process = Process()
            process.executableURL = URL(fileURLWithPath: path)
            process.arguments = ["--noproxy", "*", "-s"] + arguments
            let pipe = Pipe()
            process.standardOutput = pipe
            process.standardInput = FileHandle.nullDevice
            try process.run(within: patience)
            let output = pipe.fileHandleForReading.readDataToEndOfFile()
            process.waitUntilExit()
            return Outcome(output: output, exitCode: process.terminationStatus)
        }
    }
}
