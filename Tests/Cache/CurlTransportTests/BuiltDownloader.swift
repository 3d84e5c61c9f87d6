import Foundation
import TestSupport

enum BuiltDownloader {
    /// Starts it; it is killed after a minute.
    static func start(
        _ arguments: [String], complaints: FileHandle = .nullDevice
    ) throws -> Process {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: BuiltPrograms.path("downloader"))
        process.arguments = arguments
        process.standardError = complaints
        try process.run(within: patience)
        return process
    }

    /// Runs it to its end; a fetch writes to standard error alone.
    static func run(_ arguments: [String]) throws -> (exitCode: Int32, complaint: String) {
        let (status, words) = try Tool.run([BuiltPrograms.path("downloader")] + arguments)
        return (status, words)
    }
}
