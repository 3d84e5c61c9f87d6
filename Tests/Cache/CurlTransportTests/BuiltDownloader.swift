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

    /// Runs it to its end; returns its exit code, nil for a signal, and its standard error.
    static func run(_ arguments: [String]) throws -> (exitCode: Int32?, complaint: String) {
        let path = FileManager.default.temporaryDirectory.path + "/complaint-\(UUID())"
        _ = FileManager.default.createFile(atPath: path, contents: nil)
        defer { try? FileManager.default.removeItem(atPath: path) }
        let file = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
        let process = try start(arguments, complaints: file)
        process.waitUntilExit()
        try file.close()
        let code = process.terminationReason == .exit ? process.terminationStatus : nil
        return (code, try String(contentsOfFile: path, encoding: .utf8))
    }
}
