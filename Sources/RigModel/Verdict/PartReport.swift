/// How a part of a run ended that has all its rows.
package struct PartReport: Sendable, Hashable {
    /// Which part.
    package let partition: RunPartition
    /// Its folder.
    package let folder: String
    /// Rows that there are.
    package let rows: Int
    /// Rows that the plan asks for.
    package let expectedRows: Int
    /// True when it had been carried out before.
    package let wasThere: Bool
    /// The folder of all parts.
    package let parts: String

    /// A part's report.
    package init(
        partition: RunPartition, folder: String, rows: Int, expectedRows: Int, wasThere: Bool,
        parts: String
    ) {
        self.partition = partition
        self.folder = folder
        self.rows = rows
        self.expectedRows = expectedRows
        self.wasThere = wasThere
        self.parts = parts
    }

    /// The command that joins the parts once all are there.
    package var mergeCommand: String {
        ShellWord.line(["rig", "merge", parts, "--expect", "\(partition.count)"])
    }
}
