import Foundation
import HandmadeLogs
import RigModel
import StorageModel
import SyscallTracer
import Testing

@testable import RigLab

/// A log that lacks what was stored through mapped memory at last.
@Suite struct CompletedLogTests {
    /// A run completes the log that the evidence keeps, and tries the states that it allows.
    @Test(arguments: DiskModel.allCases)
    func aRunTriesTheStatesOfTheCompletedLog(disk: DiskModel) throws {
        let place = try TemporaryFolder()
        let log = place.file("log")
        try Self.record(in: place, to: log)
        var tried = try TornCut.states(
            log: log, completedFrom: place.file("state"), iterationSeed: 3, kill: 1,
            by: CrashModel(disk: disk))
        #expect(
            try StorageLog(path: log).operations.last?.kind
                == .write(file: FileID(1), offset: 512, bytes: LogByHand.sectors("nn")))
        var again = try TornCut.states(
            log: log, iterationSeed: 3, kill: 1, by: CrashModel(disk: disk))
        var found: Set<String> = []
        // Garbage makes ever new states.
        for _ in 0..<20 {
            let (image, same) = (tried.next(), again.next())
            #expect(image == same)
            if let image { found.insert(image.letters("mapped")) }
        }
        #expect(found.isSuperset(of: ["mmmm", "mnnm"]))
    }

    /// A program that a check judges may be killed at once, before its tracer has begun the log.
    ///
    /// The run ended with 65, and said that the log was of another version, or not there.
    @Test(arguments: [nil, []] as [[UInt8]?]) func nothingIsThereBeforeTheLaunchIsRecorded(
        begun: [UInt8]?
    ) throws {
        let place = try TemporaryFolder()
        let (log, state) = (place.file("log"), place.file("state"))
        if let begun { try Data(begun).write(to: URL(fileURLWithPath: log)) }
        try FileManager.default.createDirectory(atPath: state, withIntermediateDirectories: false)
        func states() throws -> CrashStates {
            try TornCut.states(
                log: log, completedFrom: state, iterationSeed: 3, kill: 1, by: CrashModel())
        }
        var nothing = try states()
        #expect(nothing.unseen.isEmpty)
        #expect(nothing.next() != nil && nothing.next() == nil)
        // What was prepared is not in such a log, so nothing is said of what a cut leaves of it.
        try Data([1]).write(to: URL(fileURLWithPath: state + "/prepared"))
        #expect(try !states().unseen.isEmpty)
        // The log that the evidence keeps has been a whole one.
        try FileManager.default.removeItem(atPath: log)
        #expect(throws: RigError.self) {
            try TornCut.states(log: log, iterationSeed: 3, kill: 1, by: CrashModel())
        }
    }

    /// A file of four sectors was mapped, and two of them were changed.
    private static func record(in place: TemporaryFolder, to log: String) throws {
        try FileManager.default.createDirectory(
            atPath: place.file("state"), withIntermediateDirectories: false)
        let file = place.file("state/mapped")
        try Data(LogByHand.sectors("mnnm")).write(to: URL(fileURLWithPath: file))
        let inode = try #require(FolderScan.paths(below: place.file("state")).first?.key)
        var writer = try StorageLogWriter(path: log)
        for kind in [
            StorageOperation.Kind.existing(
                path: "mapped", file: FileID(1), bytes: LogByHand.sectors("mmmm")),
            .mapped(file: FileID(1), inode: inode),
        ] { _ = try writer.append(kind) }
    }
}
