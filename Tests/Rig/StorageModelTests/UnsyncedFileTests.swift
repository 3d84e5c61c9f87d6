import HandmadeLogs
import RigModel
import Testing

@testable import StorageModel

/// What a file may hold after a power cut.
@Suite struct UnsyncedFileTests {
    /// A process was killed during a write; another then wrote the same bytes of a log and synced
    /// them.
    ///
    /// The first write was still treated as one that may reach the disk, and in half of the states
    /// it replaced the second, which had been acknowledged.
    @Test func anInterruptedWriteDoesNotComeBackOverWhatWasSyncedSince() {
        var file = UnsyncedFile()
        file.change(.write([1, 1, 1, 1], at: 0), returned: false)
        file.change(.write([2, 2], at: 1))
        file.sync()
        var choices = Choices(seed: 1)
        let states = (0..<100).map { _ in
            file.afterCut(kept: { _ in false }, using: &choices).bytes(0..<4)
        }
        #expect(states.allSatisfy { $0[1...2] == [2, 2] })
        // The byte that was not overwritten may reach the disk or not.
        #expect(Set(states.map { $0[3] }) == [0, 1])
    }

    /// A sync does not settle whether an interrupted write was done.
    @Test func anInterruptedWriteIsNoSyncedOne() {
        var file = UnsyncedFile()
        file.change(.write([1, 1], at: 0), returned: false)
        file.sync()
        var choices = Choices(seed: 1)
        let states = (0..<100).map { _ in
            file.afterCut(kept: { _ in false }, using: &choices).bytes(0..<2)
        }
        #expect(Set(states) == [[0, 0], [1, 1]])
    }
}
