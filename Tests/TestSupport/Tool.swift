import Foundation

/// A program that is run to its end.
package enum Tool {
    /// Runs a program of the search path, and returns its exit code and its output.
    package static func run(
        _ command: [String], environment: [String: String]? = nil
    ) throws -> (status: Int32, words: String) {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = command
        if let environment { process.environment = environment }
        process.standardInput = FileHandle.nullDevice
        let output = Pipe()
        process.standardOutput = output
        process.standardError = output
        try process.run(within: patience)
        let words = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return (process.terminationStatus, String(decoding: words, as: UTF8.self))
    }
}
