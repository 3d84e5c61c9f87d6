/// The outcome of a part of a run that has all its rows.
package struct PartReport: Sendable, Hashable {
    package let partition: RunPartition
    package let folder: String
    package let rows: Int
    package let expectedRows: Int
    package let wasThere: Bool
    package let parts: String

    package init(
        partition: RunPartition, folder: String, rows: Int, expectedRows: Int, wasThere: Bool,
        parts: String
    ) {
        (self.partition, self.folder, self.rows) = (partition, folder, rows)
        (self.expectedRows, self.wasThere, self.parts) = (expectedRows, wasThere, parts)
    }

    package var judgeCommand: String {
        ShellWord.line(["rig", "judge", parts, "--expect", "\(partition.count)"])
    }
}
