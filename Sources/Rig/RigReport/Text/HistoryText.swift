package import RigModel

/// What `rig history page` prints of the changes.
package enum HistoryText {
    /// The headline and a table of the changes, each line including its line end.
    package static func text(_ report: HistoryReport) -> String {
        let changes = report.changes.counted("change")
        let headline = "\(changes) in \(report.runs.count.counted("run"))\n"
        return report.changes == 0 ? headline : headline + HistoryTables.changeTable(report).text
    }
}
