import Foundation
import Testing
import TestSupport

final class WalkerProcess {
    private let process: Process
    private let steps = Pipe()

    /// Starts any program that writes a byte for each of its steps.
    init(command: [String], environment: [String: String]) throws {
        process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = command
        process.environment = environment
        process.standardOutput = steps
        try process.run(within: patience)
    }

    deinit {
        // The process catches no signal; a held one must not outlive the test.
        if process.isRunning { kill(process.processIdentifier, SIGKILL) }
    }

    /// Waits until the process has entered another phase or finished; false if it died first.
    func step() throws -> Bool { try steps.fileHandleForReading.read(upToCount: 1)?.count == 1 }

    func status() -> Int32 {
        process.waitUntilExit()
        return process.terminationStatus
    }

    var isRunning: Bool { process.isRunning }
}
