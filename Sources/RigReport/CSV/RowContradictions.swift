import RigModel

/// What no row that the rig wrote can say.
enum RowContradictions {
    /// Refuses a row that contradicts itself.
    ///
    /// Only what holds by the very definition of the columns is checked: a broken worker may well
    /// acknowledge more than it received, and that row has to be readable.
    static func check(_ row: IterationRow, line: Int) throws(CSVError) {
        let problems = [policy(row), loss(row), bound(row), verdict(row)]
        guard let problem = problems.lazy.compactMap({ $0 }).first else { return }
        throw .contradiction(line: line, problem: problem)
    }

    private static func policy(_ row: IterationRow) -> String? {
        guard row.iteration > 0, row.kill > 0 else {
            return "iterations and kills are counted from 1"
        }
        guard let policy = Policy(row.policy), policy.name == row.policy else {
            return "'\(row.policy.prefix(60))' is no policy"
        }
        guard policy.threshold?.bytes == row.thresholdBytes else {
            return "threshold_bytes is not the threshold of \(row.policy)"
        }
        return nil
    }

    private static func loss(_ row: IterationRow) -> String? {
        guard let lost = row.lostBytes, let received = row.receivedBytes else { return nil }
        guard lost <= received else {
            return "lost_bytes \(lost) is more than received_bytes \(received)"
        }
        guard let percent = row.lossPercent, received > 0 else { return nil }
        let exact = 100 * Double(lost) / Double(received)
        // Three decimals are written.
        guard abs(percent - exact) > 0.001 else { return nil }
        return "loss_percent is not 100 × lost_bytes ÷ received_bytes"
    }

    private static func bound(_ row: IterationRow) -> String? {
        guard let lost = row.lostBytes, let bound = row.boundBytes, let isOK = row.boundOK,
            isOK != (lost <= bound)
        else { return nil }
        return "bound_ok is \(isOK) with \(lost) bytes lost and a bound of \(bound)"
    }

    private static func verdict(_ row: IterationRow) -> String? {
        guard row.verdict == .pass else {
            return row.reason.isEmpty ? "\(row.verdict.rawValue) without a reason" : nil
        }
        if !row.reason.isEmpty { return "a pass with a reason" }
        if row.boundOK == false { return "a pass with more lost than the bound" }
        if row.integrity == false { return "a pass without integrity" }
        if row.corruptBytes.map({ $0 > 0 }) ?? false { return "a pass with corrupt bytes" }
        return nil
    }
}
