import HandmadeLogs
import RigModel
import Testing

@testable import StorageModel

/// What a file may hold after a power cut.
@Suite struct UnsyncedFileTests {
    private static func states(after later: [UInt8]?, count: Int) -> [[UInt8]] {
        var file = UnsyncedFile()
        file.change(.write([UInt8](repeating: 1, count: count), at: 0), returned: false)
        if let later { file.change(.write(later, at: 1)) }
        file.sync()
        var choices = Choices(seed: 1)
        return (0..<100).map { _ in
            file.afterCut(kept: { _ in false }, using: &choices).bytes(0..<count)
        }
    }

    /// A process was killed during a write; another then wrote the same bytes of a log and synced
    /// them: in half of the states the first write replaced the second, which had been
    /// acknowledged.
    @Test func anInterruptedWriteDoesNotComeBackOverWhatWasSyncedSince() {
        let states = Self.states(after: [2, 2], count: 4)
        #expect(states.allSatisfy { $0[1...2] == [2, 2] })
        // The byte that was not overwritten may reach the disk or not.
        #expect(Set(states.map { $0[3] }) == [0, 1])
    }

    /// A sync does not settle whether an interrupted write was done.
    @Test func anInterruptedWriteIsNoSyncedOne() {
        #expect(Set(Self.states(after: nil, count: 2)) == [[0, 0], [1, 1]])
    }
}
