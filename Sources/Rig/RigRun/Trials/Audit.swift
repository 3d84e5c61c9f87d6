internal import Foundation
internal import RigLab
package import RigModel
internal import RigReport
internal import RigVerdict

/// `rig audit`: tries a program in the situations that find mistakes, in the time that there is.
package struct Audit {
    private let stage: TrialStage
    private let minutes: Double
    private let jobs: Int

    package init(_ settings: TrialSettings, minutes: Double, console: Console) throws {
        self.minutes = minutes
        stage = try TrialStage(settings, worker: settings.profile, console: console)
        jobs = JobFit.standard(for: RunSpec(), worker: stage.worker)
    }

    package func run() async throws -> ExitStatus { try await stage.run(run(by:)) }

    /// What every part has in common: small, because many kills tell more than many bytes.
    private static let common = ["--video-size", "4MB"]
    /// The fewest kills of a part, and the most for each unit of its weight.
    private static let kills = (fewest: 4, most: 20)

    /// The pace without kills, in bytes per second: nothing has to be spread.
    private static let unpaced: Int64 = 1 << 30

    private static func handing(_ pace: Int64) -> [String: String] {
        [KillTest.paceVariable: "\(pace)"]
    }

    private func run(by runs: SubRuns) async throws -> ExitStatus {
        let began = ContinuousClock.now
        func elapsed() -> Double { (ContinuousClock.now - began).seconds }
        let unharmed = Self.common + ["--trigger", "time", "--at", "never", "--iterations", "2"]
        let contract = try await runs.run(
            "unharmed", unharmed, variables: Self.handing(Self.unpaced))
        if let failure = contract.failure { throw RigError(failure.status, contract.complaint) }
        var seconds = max(0.05, elapsed())
        var findings: [AuditFinding] = []
        func found(_ finding: AuditFinding) {
            findings.append(finding)
            runs.console.note("rig: \(AuditTable.progress(finding))")
        }
        var pace: Int64?
        var calls: Set<String>?
        for (index, situation) in AuditSituation.all.enumerated() {
            guard situation.isPossible(making: calls) else {
                found(AuditFinding(situation, .notTried("it makes no such call")))
                continue
            }
            let weights = AuditSituation.all[index...].reduce(0) { $0 + $1.weight }
            let left = minutes * 60 - elapsed()
            guard left > 0 || situation.isEssential else {
                found(AuditFinding(situation, .notTried("the time was over; give --minutes")))
                continue
            }
            let share = max(0, left) * Double(situation.weight) / Double(weights)
            let kills = min(
                max(Self.kills.fewest, Int(share / seconds)), Self.kills.most * situation.weight)
            let before = elapsed()
            let options =
                Self.common + situation.options
                + ["--iterations", "\(kills)", "--jobs", "\(jobs)"]
            let part = try await runs.run(
                situation.name, options, variables: pace.map(Self.handing) ?? [:])
            pace = pace ?? part.pace
            calls = calls ?? part.calls
            // Those of the situation before are the best guess for the next one.
            if part.hasAllRows { seconds = max(0.01, (elapsed() - before) / Double(kills)) }
            found(
                AuditJudge.finding(
                    situation, part: part, command: runs.command(options),
                    folder: "\(runs.folder.path)/\(situation.name)"))
        }
        let report = AuditReport(
            runID: runs.runID, seed: runs.seed, worker: runs.settings.profile.name,
            findings: findings)
        try runs.folder.write(AuditJUnit.text(report), to: "junit.xml")
        try runs.folder.write(AuditPage.text(report), to: ReportFormat.page)
        return try runs.conclude(
            "audit", report.status, json: AuditJSON.text(report),
            markdown: AuditTable.markdown(report),
            text: AuditTable.text(report, page: "\(runs.folder.path)/\(ReportFormat.page)"))
    }
}
