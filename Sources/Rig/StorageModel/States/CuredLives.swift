internal import RigModel

/// A recorded life with syncs put in; what it shares with the life as it was is replayed once.
final class CuredLives {
    private let log: StorageLog
    private let places: LikePlaces
    /// The life as it was: before its first operation, and after each further `step` of them.
    private var begun: [StorageReplay]
    private let step: Int
    /// The cure that was asked for at last, its syncs, and the life with them.
    private var last: (cure: SyncCure, syncs: Set<SyncCure.Sync>, replay: StorageReplay?)?
    private(set) var replayed = 0

    init(of log: StorageLog, on disk: DiskModel) {
        self.log = log
        places = LikePlaces(of: log)
        begun = [StorageReplay(on: disk)]
        step = max(1, Int(Double(log.operations.count).squareRoot()))
    }

    /// Every sync of a cure: cures with the same ones are the same.
    func syncs(of cure: SyncCure) -> Set<SyncCure.Sync> {
        if let last, last.cure == cure { return last.syncs }
        let syncs = Set(cure.syncs.flatMap(places.everywhere))
        last = (cure, syncs, nil)
        return syncs
    }

    func replay(with cure: SyncCure) throws(CrashImageError) -> StorageReplay {
        let syncs = syncs(of: cure)
        if let known = last?.replay { return known }
        let operations = log.with(syncs).operations
        let after = Set(syncs.map(\.after))
        let index = log.operations.firstIndex { after.contains($0.ordinal) }
        // So many operations come before the first sync.
        let same = index.map { $0 + 1 } ?? log.operations.count
        while begun.count <= same / step {
            let start = (begun.count - 1) * step
            begun.append(try begun[begun.count - 1].after(operations[start..<start + step]))
            replayed += step
        }
        let rest = operations[(same / step * step)...]
        let replay = try begun[same / step].after(rest)
        replayed += rest.count
        last = (cure, syncs, replay)
        return replay
    }
}

extension StorageReplay {
    fileprivate func after(
        _ operations: ArraySlice<StorageOperation>
    ) throws(CrashImageError) -> Self {
        var replay = self
        for operation in operations { try replay.perform(operation) }
        return replay
    }
}
