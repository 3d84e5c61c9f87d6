internal import RigProfiles
package import RigModel
package import RigVerdict

extension RunSummary {
    /// The results of a run's rows under its gates, computed alike for a new and a stored run.
    package init(
        manifest: Manifest, rows: [IterationRow], gates: [Gate], ending: RigModel.ExitStatus? = nil,
        endingReason: String? = nil, baseline: GateBaseline? = nil
    ) throws {
        let baseline = try baseline ?? .given(of: manifest, for: gates)
        try self.init(
            runID: manifest.runID, command: ShellWord.line(manifest.command),
            seed: manifest.plan.seed, rows: rows, expectedRows: manifest.expectedRows,
            policies: manifest.plan.policies.map(\.name), reach: try manifest.reach,
            coverage: KillPointCoverage(of: manifest.plan, rows: rows), gates: gates,
            ending: ending, endingReason: endingReason,
            missing: MergeSentences.missing(manifest, rows: rows), baseline: baseline)
        let judged = ComparableRun(name: manifest.runID, rows: rows, facts: manifest.facts)
        let differences =
            (baseline?.differences(to: judged) ?? []) + (baseline?.shortages(of: gates) ?? [])
        sentences += differences
        hosts = manifest.parts.map { HostSummaries.of(rows, parts: $0) } ?? []
        sentences += MergeSentences.copies(manifest)
        caveats += differences + MergeSentences.copies(manifest)
        let worker = try manifest.judgedProfile ?? manifest.storedProfile
        if !manifest.plan.sparesWorkers {
            let cutsPower = manifest.fault.isPowerCut || manifest.callFailure?.afterSync != nil
            for fault in manifest.faults {
                sentences += worker.faultSentences(
                    manifest.plan.policies, under: fault, cutsPower: cutsPower)
            }
        }
        guard worker.isDocumented else {
            for index in policies.indices { policies[index].documentedLossPercent = nil }
            return
        }
        let promises = try Bounds.standard().promises
        self.promises = PromiseJudge.results(
            PromiseJudge.readings(rows, videoLength: manifest.video.length, of: promises),
            of: promises)
    }
}

extension WorkerProfile {
    fileprivate func faultSentences(
        _ policies: [Policy], under fault: Fault, cutsPower: Bool
    ) -> [String] {
        if check != nil { return cutsPower ? [] : [FaultSentences.nothingOfSyncs] }
        switch bound[fault] {
        case .threshold: return FaultSentences.of(policies, under: fault)
        case nil: return ["no bound under \(fault.rawValue): what is lost is reported, not judged"]
        case .some(let bound):
            let source = boundSource.map { " (\($0))" } ?? ""
            return ["bound under \(fault.rawValue): \(bound.words)\(source)"]
        }
    }
}
