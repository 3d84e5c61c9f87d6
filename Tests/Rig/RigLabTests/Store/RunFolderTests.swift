import Foundation
import RigModel
import Testing

@testable import RigLab

/// A run's folder overwrites nothing and keeps what was written to it.
struct RunFolderTests {
    @Test func aFolderWithContentIsRefused() throws {
        let folder = try TemporaryFolder()
        try Data("x".utf8).write(to: URL(fileURLWithPath: folder.file("mine")))
        expectError(.usage) { _ = try RunFolder(creating: folder.path) }
    }

    @Test func linesAreThereAsSoonAsTheyAreAppended() throws {
        let folder = try TemporaryFolder()
        let run = try RunFolder(creating: folder.file("run"))
        let appender = try run.appender(to: "rows")
        try appender.append("one\n")
        #expect(try run.text(of: "rows") == "one\n")
        try appender.append("two\n")
        #expect(try run.text(of: "rows") == "one\ntwo\n")
        #expect(try run.text(of: "none") == nil)
    }

    /// `rig init` left an empty folder `results` behind.
    @Test func anEmptyRunLeavesNoFolder() throws {
        let place = try TemporaryFolder()
        func left() throws -> [String] {
            try FileManager.default.contentsOfDirectory(atPath: place.path)
        }
        try RunFolder(creating: place.file("results/all/run")).removeIfEmpty()
        #expect(try left().isEmpty)
        let one = try RunFolder(creating: place.file("results/one"))
        let two = try RunFolder(creating: place.file("results/two"))
        one.removeIfEmpty()
        #expect(!FileManager.default.fileExists(atPath: one.path))
        two.removeIfEmpty()
        // The first run made it, when the second was there already.
        #expect(try left() == ["results"])
        try RunFolder(creating: place.file("results/three")).removeIfEmpty()
        #expect(try left() == ["results"], "it was there before the run")
    }

    @Test func latestPointsAtTheNewestRunAndReplacesNoFileOfTheUsers() throws {
        let folder = try TemporaryFolder()
        for name in ["one", "two"] {
            try RunFolder(creating: folder.file(name)).linkAsLatest()
            let target = try FileManager.default.destinationOfSymbolicLink(
                atPath: folder.file("latest"))
            #expect(target == name)
        }
        try FileManager.default.removeItem(atPath: folder.file("latest"))
        try Data("mine".utf8).write(to: URL(fileURLWithPath: folder.file("latest")))
        try RunFolder(creating: folder.file("three")).linkAsLatest()
        #expect(try String(contentsOfFile: folder.file("latest"), encoding: .utf8) == "mine")
    }

    @Test func textThatIsNoUTF8Is65() throws {
        let folder = try TemporaryFolder()
        try Data([0xFF, 0xFE]).write(to: URL(fileURLWithPath: folder.file("rows")))
        let run = try RunFolder(existing: folder.path)
        expectError(.data) { _ = try run.text(of: "rows") }
    }

    /// The advice was to free some space, or to see the permissions, whatever the reason was.
    @Test func whatCannotBeMadeIsSaidWithItsReason() throws {
        // The kernel makes no folders there.
        let folder = try RunFolder(existing: "/proc/self")
        expectError(.failure) { _ = try folder.makeScratch() }
        let evidence = #expect(throws: RigError.self) {
            try folder.replaceEvidence(from: []) { _ in [:] }
        }
        #expect(evidence?.message.contains("free some space") == false)
        #expect(evidence?.message.contains("with --out") == true)
    }

    @Test func whatCannotBeReadIsSaidWithItsReason() throws {
        let place = try TemporaryFolder()
        try FileManager.default.createDirectory(
            atPath: place.file("rows"), withIntermediateDirectories: false)
        let run = try RunFolder(existing: place.path)
        let error = #expect(throws: RigError.self) { try run.text(of: "rows") }
        #expect(error?.status == .data)
        #expect(error?.message.contains("UTF-8") == false)
    }

    @Test func theMachineIsDescribed() throws {
        let folder = try TemporaryFolder()
        let machine = MachineFacts.read(folder: folder.path)
        #expect(machine.cores > 0)
        #expect(machine.memoryBytes > 0)
        #expect(machine.fileSystem != "not known")
        #expect(MachineFacts.sqliteVersion.hasPrefix("3."))
    }
}
