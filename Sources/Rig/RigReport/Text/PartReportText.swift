package import RigModel

/// The final output of a part of a run on the terminal.
package enum PartReportText {
    /// A few lines; the last one says how to get the verdict.
    package static func text(_ report: PartReport) -> String {
        let state = report.wasThere ? "is there already: nothing to do" : "is complete"
        return """
            \(report.partition.words) \(state), \(report.rows) of \(report.expectedRows) rows in \
            \(PrintableText.line(report.folder))
            no verdict: that comes from \(PrintableText.line(report.judgeCommand))

            """
    }
}
