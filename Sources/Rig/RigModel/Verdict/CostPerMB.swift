/// What killed launches cost per MB received (1,048,576 bytes): ratios of sums over known kills.
package struct CostPerMB: Sendable, Hashable, Codable {
    package var writtenBytes: Double?
    package var writes: Double?
    package var syncs: Double?
    /// Commits, as the witness page counts them.
    package var commits: Double?
    package var checkpoints: Double?
    package var processorSeconds: Double?

    package init() {}

    package init(_ rows: [IterationRow]) {
        writtenBytes = Self.ratio(rows) { $0.writtenBytes.map(Double.init) }
        writes = Self.ratio(rows) { $0.writes.map(Double.init) }
        syncs = Self.ratio(rows) { $0.syncs.map(Double.init) }
        commits = Self.ratio(rows) { row in
            row.launchBytes == nil ? nil : row.commits.map(Double.init)
        }
        checkpoints = Self.ratio(rows) { $0.checkpoints.map(Double.init) }
        processorSeconds = Self.ratio(rows, \.processorSeconds)
    }

    private static func ratio(
        _ rows: [IterationRow], _ figure: (IterationRow) -> Double?
    ) -> Double? {
        var (sum, received) = (0.0, 0.0)
        for row in rows {
            guard let value = figure(row), let bytes = row.launchBytes, bytes > 0 else { continue }
            sum += value
            received += Double(bytes)
        }
        return received > 0 ? sum / (received / 1_048_576) : nil
    }
}
