internal import Foundation
package import RigModel
package import StorageModel
internal import SyscallTracer

/// A killed life whose operations are recorded, for questions about the states that a power cut can
/// have left of it.
package struct RecordedLife {
    /// The operations, to the kill.
    package let log: StorageLog
    package let disk: DiskModel
    /// The states that a run tries after its first.
    package let states: CrashStates
    /// The path of the text that says where each call was made; there may be none.
    private let stacksPath: String
    /// Puts a state in the place of the dead program's folder, starts the program again, and gathers
    /// the evidence.
    package let judged: (CrashImage) async throws -> [IterationEvidence]

    init(
        log path: String, stacks: String, disk: DiskModel, states: CrashStates,
        judged: @escaping (CrashImage) async throws -> [IterationEvidence]
    ) throws {
        log = try TornCut.log(path)
        (self.disk, self.states) = (disk, states)
        stacksPath = stacks
        self.judged = judged
    }

    /// The calls of the operations, by ordinal, with the places at which the program made them.
    package var calls: [Int: (name: String, places: [StackPlace])] {
        StackLog(path: stacksPath).calls
    }
}

/// Asks questions about a recorded life, while its iteration still has its files.
package protocol CrashExplorer: Sendable {
    func explore(_ life: RecordedLife) async throws
}
