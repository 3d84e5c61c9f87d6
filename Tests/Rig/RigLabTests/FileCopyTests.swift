import Fixture
import Foundation
import Testing

@testable import RigLab

/// A copy of a worker's state is complete: an autopsy of half of it would blame the worker.
@Suite struct FileCopyTests {
    private static func bytes(_ count: Int) -> Data {
        Data((0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) })
    }

    @Test(arguments: [0, 1, 4095, 1 << 20, 3 << 20 | 17])
    func everyByteIsCopied(count: Int) throws {
        let folder = try TemporaryFolder()
        let content = Self.bytes(count)
        try content.write(to: URL(fileURLWithPath: folder.file("from")))
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o640, .modificationDate: Date(timeIntervalSince1970: 86_400)],
            ofItemAtPath: folder.file("from"))
        try FileCopy.copy(from: folder.file("from"), to: folder.file("to"))
        #expect(try Data(contentsOf: URL(fileURLWithPath: folder.file("to"))) == content)
        let facts = try FileManager.default.attributesOfItem(atPath: folder.file("to"))
        #expect(facts[.posixPermissions] as? Int == 0o640)
        #expect((facts[.modificationDate] as? Date)?.timeIntervalSince1970 == 86_400)
    }

    /// Later changes to the original must not reach the copy, whether or not blocks are shared.
    @Test func theCopyIsAFileOfItsOwn() throws {
        let folder = try TemporaryFolder()
        let content = Self.bytes(100_000)
        try content.write(to: URL(fileURLWithPath: folder.file("from")))
        try FileCopy.copy(from: folder.file("from"), to: folder.file("to"))
        let file = try FileHandle(forWritingTo: URL(fileURLWithPath: folder.file("from")))
        try file.write(contentsOf: Data(repeating: 0, count: 100_000))
        try file.close()
        #expect(try Data(contentsOf: URL(fileURLWithPath: folder.file("to"))) == content)
    }

    @Test func nothingIsWrittenOver() throws {
        let folder = try TemporaryFolder()
        for name in ["from", "to"] {
            try Data(name.utf8).write(to: URL(fileURLWithPath: folder.file(name)))
        }
        #expect(throws: (any Error).self) {
            try FileCopy.copy(from: folder.file("from"), to: folder.file("to"))
        }
        #expect(try Data(contentsOf: URL(fileURLWithPath: folder.file("to"))) == Data("to".utf8))
    }

    /// Files of the kernel report a size of 0.
    @Test func aFileWithoutALengthIsRead() throws {
        let folder = try TemporaryFolder()
        guard FileManager.default.fileExists(atPath: "/proc/version") else { return }
        try FileCopy.copy(from: "/proc/version", to: folder.file("to"))
        #expect(try !Data(contentsOf: URL(fileURLWithPath: folder.file("to"))).isEmpty)
    }

    @Test func piecesAreWholeUntilTheFileEnds() throws {
        let folder = try TemporaryFolder()
        try Self.bytes(10).write(to: URL(fileURLWithPath: folder.file("file")))
        var found: [[UInt8]] = []
        if var pieces = FilePieces(folder.file("file"), pieceSize: 4) {
            found.append(Array(try pieces.next()))
            found.append(Array(try pieces.next(3)))
            found.append(Array(try pieces.next()))
            found.append(Array(try pieces.next()))
        }
        #expect(found.map(\.count) == [4, 3, 3, 0])
        #expect(found.flatMap(\.self) == [UInt8](Self.bytes(10)))
    }

    @Test func aFolderIsNoFileToRead() throws {
        let folder = try TemporaryFolder()
        var isFolder = false
        var hasFailed = false
        if var pieces = FilePieces(folder.file(""), pieceSize: 4) {
            isFolder = pieces.isFolder
            do { _ = try pieces.next().count } catch { hasFailed = true }
        }
        #expect(isFolder && hasFailed)
        var isThere = false
        if case .some = FilePieces(folder.file("none"), pieceSize: 4) { isThere = true }
        #expect(!isThere)
    }
}
