/// The outcome of a part of a run that has all its rows.
package struct PartReport: Sendable, Hashable {
    package let partition: RunPartition
    package let folder: String
    package let rows: Int
    /// The number of rows that the plan requires.
    package let expectedRows: Int
    /// True when the part had already been carried out.
    package let wasThere: Bool
    /// The folder of all parts.
    package let parts: String

    package init(
        partition: RunPartition, folder: String, rows: Int, expectedRows: Int, wasThere: Bool,
        parts: String
    ) {
        (self.partition, self.folder, self.rows) = (partition, folder, rows)
        (self.expectedRows, self.wasThere, self.parts) = (expectedRows, wasThere, parts)
    }

    /// The command that joins and judges the parts when all are present.
    package var judgeCommand: String {
        ShellWord.line(["rig", "judge", parts, "--expect", "\(partition.count)"])
    }
}
