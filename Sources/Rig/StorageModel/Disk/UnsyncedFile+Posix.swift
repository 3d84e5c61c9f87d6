extension UnsyncedFile {
    /// One of the contents after a cut where nothing is promised but syncs.
    func afterCut(kept: (Int) -> Bool, using choices: inout Choices) -> SparseBytes {
        let odds = SurvivalOdds(using: &choices)
        var cached = synced
        var disk = synced
        var detached: [Range<Int64>] = []
        for item in pending {
            let sizeBefore = cached.size
            item.change.apply(to: &cached)
            if let range = item.change.written {
                let fate = odds.fate(of: range, at: item.time, using: &choices)
                for part in fate.sectors.flatMap({ $0.outside(detached) }) {
                    disk.take(part, from: cached)
                }
                let isWhole = range.outside(detached).last?.upperBound == range.upperBound
                // The length may be there without the data.
                if range.upperBound > disk.size, isWhole, choices.hasLengthOnly(item.time) {
                    disk.resize(to: range.upperBound)
                }
            } else if let entry = item.entry {
                if kept(entry), item.returned || choices.isCarriedOut(item.time) {
                    item.change.apply(to: &disk)
                } else {
                    let freed = item.change.givenBack(sizeBefore: sizeBefore)
                    if !freed.isEmpty { detached.append(Block.bytes(freed)) }
                }
            }
        }
        return disk
    }
}
