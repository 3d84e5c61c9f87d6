package import RigModel

/// What a part of a run ends with on the terminal, and as JSON.
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

    /// The same as a JSON document.
    package static func json(_ report: PartReport) -> String {
        JSONValue.object([
            ("schema", .integer(1)),
            ("partition", .string(report.partition.text)),
            ("folder", .string(report.folder)),
            ("rows", .integer(Int64(report.rows))),
            ("expected_rows", .integer(Int64(report.expectedRows))),
            ("already_there", .boolean(report.wasThere)),
            ("verdict", .null),
            ("merge", .string(report.mergeCommand)),
        ]).document
    }
}
