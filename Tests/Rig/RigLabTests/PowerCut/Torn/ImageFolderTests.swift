import Foundation
import Glibc
import HandmadeLogs
import StorageModel
import Testing

@testable import RigLab

/// What a modelled power cut has left, as a folder.
@Suite struct ImageFolderTests {
    @Test func anImageIsWrittenAsItIs() throws {
        let folder = try TemporaryFolder()
        try Data("left over".utf8).write(to: URL(fileURLWithPath: folder.file("old")))
        try FileManager.default.createDirectory(
            atPath: folder.file("gone/deep"), withIntermediateDirectories: true)
        let far: Int64 = 1 << 33
        let log = LogByHand().then(.makeDirectory(path: "d")).create("d/f")
            .bytes("d/f", [1, 2, 3], at: 5).bytes("d/f", [4], at: far)
            .then(.link(file: FileID(1), path: "g"))
            .then(.symbolicLink(path: "s", target: "d/f")).create("empty").then(.syncAll).log
        try CrashImage(of: log, seed: 1).replace(folder: folder.path)
        let names = try FileManager.default.subpathsOfDirectory(atPath: folder.path).sorted()
        #expect(names == ["d", "d/f", "empty", "g", "s"])
        let file = try FileHandle(forReadingFrom: URL(fileURLWithPath: folder.file("s")))
        #expect(try file.seekToEnd() == UInt64(far) + 1)
        try file.seek(toOffset: 0)
        #expect(try file.read(upToCount: 8) == Data([0, 0, 0, 0, 0, 1, 2, 3]))
        try file.seek(toOffset: UInt64(far) - 1)
        #expect(try file.readToEnd() == Data([0, 4]))
        let facts = try FileManager.default.attributesOfItem(atPath: folder.file("g"))
        #expect(facts[.referenceCount] as? Int == 2)
        #expect(try Data(contentsOf: URL(fileURLWithPath: folder.file("empty"))).isEmpty)
    }

    /// The folder that a worker is started again in has them.
    @Test func theFilesHaveThem() throws {
        let place = try TemporaryFolder()
        let attributes = FileAttributes(
            mode: 0o500, modified: FileAttributes.Time(seconds: 1000, nanoseconds: 7))
        let log = LogByHand().then(.makeDirectory(path: "d"))
            .then(.folderAttributes(path: "d", FileAttributes(mode: 0o555)))
            .existing("f", bytes: [65])
            .then(.attributes(file: FileID(1), attributes, isInitial: false))
            .then(.link(file: FileID(1), path: "d/g")).then(.syncAll).log
        try CrashImage(of: log, seed: 1).replace(folder: place.path)
        for path in ["f", "d/g"] {
            var facts = stat()
            try #require(stat(place.file(path), &facts) == 0)
            #expect(facts.st_mode & 0o7777 == 0o500)
            #expect(facts.st_mtim.tv_sec == 1000 && facts.st_mtim.tv_nsec == 7)
        }
        var facts = stat()
        try #require(stat(place.file("d"), &facts) == 0)
        #expect(facts.st_mode & 0o7777 == 0o555)
        // So that it can be removed.
        chmod(place.file("d"), 0o755)
    }
}
