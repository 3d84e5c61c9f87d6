import RigModel
import Testing

@testable import RigLab

/// What a file may hold after a power cut.
@Suite struct UnsyncedFileTests {
    /// A process was killed in the middle of a write, and another one wrote the same bytes of a log
    /// and synced them.
    ///
    /// The first write was still taken for one that may reach the disk, and in half
    /// of the states it stood where the second one had been acknowledged.
    @Test func anInterruptedWriteDoesNotComeBackOverWhatWasSyncedSince() {
        var file = UnsyncedFile()
        file.change(.write([1, 1, 1, 1], at: 0), returned: false)
        file.change(.write([2, 2], at: 1))
        file.sync()
        var random = SplitMix64(seed: 1)
        let states = (0..<100).map { _ in file.afterCut(journalEnd: 0, using: &random).bytes(0..<4)
        }
        #expect(states.allSatisfy { $0[1...2] == [2, 2] })
        #expect(file.cached.bytes(0..<4) == [1, 2, 2, 1])
        // What nothing was written over may still come, or not.
        #expect(Set(states.map { $0[3] }) == [0, 1])
    }

    /// Whether it was done, a sync does not settle.
    @Test func anInterruptedWriteIsNoSyncedOne() {
        var file = UnsyncedFile()
        file.change(.write([1, 1], at: 0), returned: false)
        file.sync()
        var random = SplitMix64(seed: 1)
        let states = (0..<100).map { _ in file.afterCut(journalEnd: 0, using: &random).bytes(0..<2)
        }
        #expect(Set(states) == [[0, 0], [1, 1]])
    }
}
