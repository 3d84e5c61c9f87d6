package import RigModel

/// States that power cuts can leave at each moment of a recorded life, by the model.
///
/// What a program needs that looks at the states is in a file by which the life tells what it has
/// done: as it was at the cut, synced or not.
package struct CutsOfALife {
    private let log: StorageLog
    private let disk: DiskModel
    private let told: String
    private let each: Int

    /// By the path of the file that tells; `each` states are drawn at each operation, and inside.
    package init(_ log: StorageLog, on disk: DiskModel, told: String, each: Int) {
        (self.log, self.disk, self.told, self.each) = (log, disk, told, each)
    }

    /// Goes through about so many states, each once, of moments all over the life: `visit` gets the
    /// operation at which the power failed, the state without the file that tells, and what it had.
    ///
    /// Throws ``RigModel/RigError`` with exit code 65 for a log about a file it has not introduced.
    package func visit(
        seed: UInt64, most: Int, _ visit: (Int, CrashImage, SparseBytes) throws -> Void
    ) throws {
        var random = SplitMix64(seed: seed)
        let moments = log.operations.count { $0.threadID != 0 }
        let share = Double(most) / Double(max(1, 2 * each * moments))
        var seen: Set<[Int]> = []
        var replay = StorageReplay(on: disk)
        for operation in log.operations {
            let before = replay
            try perform(operation, in: &replay)
            // What was there before the program is no moment of its life.
            guard operation.threadID != 0, random.unit() < share else { continue }
            // Inside the call: it may have done its work, a part of it, or nothing.
            var inside = before
            try perform(operation.unreturned, in: &inside)
            for replay in [inside, replay] {
                let told = replay.names.file(at: told).flatMap(replay.seen) ?? SparseBytes()
                for _ in 0..<each {
                    var choices = Choices(seed: random.next())
                    let image = replay.afterCut(using: &choices).without(self.told)
                    guard seen.insert([image.hashValue, Int(told.size)]).inserted else { continue }
                    try visit(operation.ordinal, image, told)
                }
            }
        }
    }

    private func perform(_ operation: StorageOperation, in replay: inout StorageReplay) throws {
        do {
            try replay.perform(operation)
        } catch {
            throw RigError(.data, "\(error)")
        }
    }
}

extension StorageOperation {
    fileprivate var unreturned: Self {
        Self(ordinal: ordinal, threadID: threadID, returned: false, call: call, kind: kind)
    }
}
