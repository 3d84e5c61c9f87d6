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
    /// The pace without kills, in bytes per second: nothing has to be spread.
    private static let unpaced: Int64 = 1 << 30

    private static func handing(_ pace: Int64) -> [String: String] {
        [KillTest.paceVariable: "\(pace)"]
    }

    private func run(by runs: SubRuns) async throws -> ExitStatus {
        let began = ContinuousClock.now
        func elapsed() -> Double { (ContinuousClock.now - began).seconds }
        let unharmed = Self.common + ["--trigger", "time", "--at", "never", "--iterations", "2"]
        let hang = LaboratorySettings.standardPatience
        let contract = try await runs.run(
            "unharmed", unharmed, variables: Self.handing(Self.unpaced),
            within: max(minutes * 60, 2 * hang))
        if let failure = contract.failure {
            guard !contract.wasCutOff || failure.status.isOfTheRig else {
                throw RigError.unavailable(
                    "the worker \(runs.settings.profile.name) was not done twice in the time of the"
                        + " audit when it was not killed; give --minutes")
            }
            throw RigError(failure.status, contract.complaint)
        }
        var time = AuditTime(minutes: minutes, unharmed: elapsed(), hang: hang)
        var findings: [AuditFinding] = []
        func found(_ finding: AuditFinding) {
            findings.append(finding)
            runs.console.note("rig: \(AuditTable.progress(finding))")
        }
        var pace: Int64?
        var calls: Set<String>?
        for situation in AuditSituation.all {
            guard situation.isPossible(making: calls) else {
                found(AuditFinding(situation, .notTried("it makes no such call")))
                continue
            }
            guard let share = time.share(of: situation, after: elapsed()) else {
                found(AuditFinding(situation, .notTried("the time was over; give --minutes")))
                continue
            }
            let before = elapsed()
            let options =
                Self.common + situation.options
                + ["--iterations", "\(share.iterations)", "--jobs", "\(jobs)"]
            let part = try await runs.run(
                situation.name, options, variables: pace.map(Self.handing) ?? [:],
                within: share.mostSeconds)
            pace = pace ?? part.pace
            calls = calls ?? part.calls
            if part.hasAllRows || part.wasCutOff, let expected = part.expectedRows {
                let done = Double(part.rows.count) / Double(max(1, expected))
                time.note(done * Double(share.iterations), took: elapsed() - before)
            }
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
