import Foundation
import RigModel
import Testing

@testable import RigLab

/// An iteration's folder is taken for the iteration's only as long as it is the same folder.
struct IterationFolderTests {
    /// A run's folder was removed under its rig, and another run began in it: the first one emptied
    /// and removed the other's iteration of the same number.
    @Test func anotherOneWithItsNameIsLeftAlone() throws {
        let place = try TemporaryFolder()
        let path = place.file("scratch/1")
        let first = try IterationFolder(creating: path)
        #expect(first.loss?.message == nil)
        try FileManager.default.removeItem(atPath: place.file("scratch"))
        #expect(first.loss?.status == .failure)
        #expect(first.loss?.message.contains("removed or moved") == true)
        let second = try IterationFolder(creating: path)
        try Data("the other's".utf8).write(to: URL(fileURLWithPath: second.output))
        #expect(first.loss?.message.contains("another is there now") == true)
        first.removeOutput()
        first.removeBelongings()
        first.remove()
        #expect(FileManager.default.fileExists(atPath: second.output))
        #expect(second.loss?.message == nil)
        second.remove()
        #expect(!FileManager.default.fileExists(atPath: path))
    }
}
