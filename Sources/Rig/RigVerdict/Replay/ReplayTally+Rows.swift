package import RigModel

extension ReplayTally {
    /// Counts one repetition; true when it failed as the original kill did.
    @discardableResult
    package mutating func count(_ row: IterationRow) -> Bool {
        switch row.verdict {
        case .pass: passed += 1
        case .inconclusive: inconclusive[row.reason, default: 0] += 1
        case .fail:
            let found = row.checkers
            guard !checkers.isEmpty, found.isSuperset(of: checkers) else {
                otherwise[found, default: 0] += 1
                return false
            }
            reproduced += 1
            return true
        }
        return false
    }
}
