import Foundation
import HandmadeLogs
import RigModel
import StorageModel
import SyscallTracer
import Testing

@testable import RigLab

/// A dead worker's folder that is not as the recorded calls leave it was changed unseen.
@Suite struct UnseenChangesTests {
    /// What was done to the folder behind the log's back, and what is said of it.
    struct Case: CustomTestStringConvertible, Sendable {
        let testDescription: String
        var change: @Sendable (String) throws -> Void = { _ in }
        var then: @Sendable (LogByHand) -> LogByHand = { $0 }
        let unseen: [String]
    }

    private static func write(_ letters: String, _ path: String) throws {
        try Data(LogByHand.sectors(letters)).write(to: URL(fileURLWithPath: path))
    }

    private static let cases = [
        Case(testDescription: "nothing", unseen: []),
        Case(
            testDescription: "bytes of the same length", change: { try write("AX", "\($0)/f") },
            unseen: ["changes of f"]),
        Case(
            testDescription: "a length", change: { try write("ABC", "\($0)/f") },
            unseen: ["changes of f"]),
        Case(
            testDescription: "names",
            change: {
                try write("A", "\($0)/new")
                try FileManager.default.removeItem(atPath: "\($0)/d")
            }, unseen: ["changes of d and 1 more"]),
        Case(
            testDescription: "what a call under way may have done",
            change: {
                try write("ABC", "\($0)/f")
                try write("A", "\($0)/new")
            },
            then: {
                $0.write("f", "C", at: 2).inFlight().then(.makeDirectory(path: "new")).inFlight()
            }, unseen: []),
        Case(
            testDescription: "a call that moves bytes within a file",
            then: { $0.then(.unrecorded(file: $0.file("f"))) }, unseen: ["changes of f"]),
        Case(
            testDescription: "what the tracer says",
            then: { $0.then(.unseen("WRITE by io_uring")) }, unseen: ["WRITE by io_uring"]),
    ]

    @Test(arguments: cases)
    func whatIsNotRecordedIsSaid(_ item: Case) throws {
        let place = try TemporaryFolder()
        let folder = place.file("state")
        try FileManager.default.createDirectory(
            atPath: "\(folder)/d", withIntermediateDirectories: true)
        try Self.write("AB", "\(folder)/f")
        try item.change(folder)
        let log = item.then(
            LogByHand().existing("f", "AA").then(.makeDirectory(path: "d")).write("f", "B", at: 1)
        ).log
        #expect(try StorageReplay(of: log, on: .ext4).unseen(in: folder) == item.unseen)
    }
}
