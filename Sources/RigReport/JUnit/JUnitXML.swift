package import RigModel

/// `junit.xml`: what a run shows, as test reports show it.
///
/// The first suite is about the run: that it is complete, and the gates over all policies. Then
/// comes a suite per policy: one case for its kills together, one per gate, one per kill that
/// failed, and one per reason for which kills prove nothing. A gate that does not hold and a kill
/// that failed are failures, what could not be decided is an error, and what proves nothing is
/// skipped: none of them is ever a pass. Suites and cases have the same names in every run, so that
/// their history can be followed; a part of a plan says which part it is, so that the suites of a
/// merged run are not those of its parts.
package enum JUnitXML {
    /// So many kills that failed have a case of their own per policy; the others are counted.
    package static let mostKills = 50
    /// So many reasons for kills that prove nothing have a case of their own per policy.
    package static let mostReasons = 10

    /// The whole file.
    ///
    /// - Parameters:
    ///   - summary: what the run's rows show.
    ///   - rows: its rows.
    ///   - manifest: what it was.
    ///   - folder: its folder, as it is to be named in a command.
    /// - Returns: XML 1.0 in UTF-8, after the schema of Jenkins' xUnit plugin.
    package static func text(
        _ summary: RunSummary, rows: [IterationRow], manifest: Manifest, folder: String
    ) -> String {
        let suites = JUnitSuites(
            summary: summary, rows: rows, manifest: manifest, folder: folder
        ).all
        let facts: [(String, String?)] = [
            ("timestamp", manifest.startedAt), ("hostname", manifest.machine.host),
        ]
        let properties = properties(summary, manifest)
        let tags = suites.map { $0.tag(facts: facts, properties: properties) }
        func sum(_ count: (JUnitSuite) -> Int) -> String {
            String(suites.map(count).reduce(0, +))
        }
        return XMLTag(
            "testsuites",
            [
                ("name", "rig"), ("tests", sum { $0.cases.count }),
                ("failures", sum(\.failures)), ("errors", sum(\.errors)),
            ], .tags(tags)
        ).document
    }

    private static func properties(
        _ summary: RunSummary, _ manifest: Manifest
    ) -> [(String, String)] {
        let known: [(String, String?)] = [
            ("run_id", summary.runID), ("seed", String(summary.seed)),
            ("plan_digest", manifest.planDigest), ("worker", manifest.worker),
            ("workload", manifest.workload.rawValue), ("fault", manifest.fault.rawValue),
            ("partition", manifest.partition?.text), ("rig", manifest.versions["rig"]),
            ("result", StatusText.word(summary.status)),
            ("exit_code", String(summary.status.rawValue)), ("command", summary.command),
        ]
        return known.compactMap { name, value in value.map { (name, $0) } }
    }
}
