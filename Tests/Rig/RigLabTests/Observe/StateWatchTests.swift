import Foundation
import RigModel
import Testing

@testable import RigLab

/// A worker whose transfer the rig cannot see is watched by its files.
struct StateWatchTests {
    /// What was written in the last milliseconds before the end was not seen.
    ///
    /// A program that was done at once seemed to do nothing, so that after a kill it did not have to
    /// do anything either; a worker with a source of its own seemed to take no byte.
    @Test func whatIsWrittenRightBeforeTheEndIsSeen() throws {
        let place = try TemporaryFolder()
        let folder = try IterationFolder(creating: place.file("1"))
        let watch = StateWatch(folder)
        #expect(!watch.hasChanged && watch.glance.received.isEmpty)
        try Data("bytes".utf8).write(to: URL(fileURLWithPath: "\(folder.state)/file"))
        watch.settle()
        #expect(watch.hasChanged && watch.glance.received.count == 5)
    }
}
