import Foundation
import Waiting

/// The program that most clients are built on, where it is installed.
enum Curl {
    static let path = "/usr/bin/curl"

    static var isThere: Bool { FileManager.default.isExecutableFile(atPath: path) }

    /// What it printed, and how it ended.
    struct Outcome: Sendable {
        let output: Data
        let exitCode: Int32
    }

    /// Runs it to its end.
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
