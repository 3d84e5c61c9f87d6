package import RigModel

/// What a part of a run ends with on the terminal.
package enum PartReportText {
    /// A few lines, the last of which says where the verdict comes from.
    package static func text(_ report: PartReport) -> String {
        let state = report.wasThere ? "is there already: nothing to do" : "is complete"
        return """
            \(report.partition.words) \(state), \(report.rows) of \(report.expectedRows) rows in \
            \(TextGrid.printable(report.folder))
            no verdict: that comes from \(TextGrid.printable(report.mergeCommand))

            """
    }
}
