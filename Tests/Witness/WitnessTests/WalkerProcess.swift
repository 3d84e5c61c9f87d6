import Foundation
import Testing
import TestSupport

/// A separate process that walks through phases.
final class WalkerProcess {
    private let process: Process
    private let steps = Pipe()

    convenience init(page: String, _ words: String...) throws {
        try self.init(command: [Self.program, page] + words)
    }

    /// Starts any program that writes a byte for each of its steps.
    init(command: [String], environment: [String: String]? = nil) throws {
        process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = command
        if let environment { process.environment = environment }
        process.standardOutput = steps
        try process.run(within: patience)
    }

    deinit {
        // The process catches no signal; a held one must not outlive the test.
        if process.isRunning { kill(process.processIdentifier, SIGKILL) }
    }

    private static let program = BuiltPrograms.path("PhaseWalker")

    /// Waits until the process has entered another phase or finished; false if it died first.
    func step() throws -> Bool { try steps.fileHandleForReading.read(upToCount: 1)?.count == 1 }

    /// Waits for the end of the process.
    func status() -> Int32 {
        process.waitUntilExit()
        return process.terminationStatus
    }

    var isRunning: Bool { process.isRunning }
}
