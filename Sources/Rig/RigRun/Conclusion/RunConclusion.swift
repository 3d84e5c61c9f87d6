package import RigLab
package import RigModel
internal import RigProfiles
package import RigReport
package import RigVerdict

struct RunConclusion {
    let folder: RunFolder
    let manifest: Manifest
    let gates: [Gate]
    /// What gates compare with, read at the start; nil for what the manifest names.
    var baseline: GateBaseline?
    let json: Bool
    let started: ContinuousClock.Instant
    let console: Console
    /// Receives the run's events for programs; nil when programs get at most one document.
    var events: Console?

    func conclude(_ progress: Campaign.Progress) throws -> RigModel.ExitStatus {
        var manifest = self.manifest
        manifest.replaced = progress.replaced ?? manifest.replaced
        let summary = try RunSummary(
            manifest: manifest, rows: progress.rows, gates: gates, ending: progress.early?.status,
            endingReason: progress.failure?.message, baseline: baseline)
        var run = ReportedRun(
            manifest: manifest, rows: progress.rows, summary: summary, folder: folder.path)
        try run.write(to: folder)
        let elapsed = (ContinuousClock.now - started).seconds
        if let events {
            for event in RunEvents.conclusion(summary) { events.result(event) }
        } else if progress.failure == nil || !progress.rows.isEmpty {
            // Where nothing could be started, there is nothing to say but the error.
            run.folder = folder.shortPath
            console.result(run, json: json, elapsed: elapsed)
            run.folder = folder.path
        }
        if let timings = progress.timings { console.result(timings) }
        run.publish(by: console)
        let what = manifest.plan.sparesWorkers ? "iterations without a kill" : "kills"
        let count = "\(progress.rows.count) \(what) in \(MetricUnit.readableSeconds(elapsed))"
        let note = "rig: \(count), rows in \(folder.path)/iterations.csv"
        // People have read it in the verdict. Of a refused command there are none.
        if json, !progress.rows.isEmpty { console.note(note) } else { console.detail(note) }
        if let failure = progress.failure { throw failure }
        return summary.status
    }
}

extension ReportedRun {
    /// Writes every document, each atomically; exit code 70 when one cannot be written.
    func write(to folder: RunFolder) throws {
        let run = detailed(from: folder)
        for format in ReportFormat.all { try folder.write(format.text(run), to: format.file) }
    }

    /// With the stored evidence of its failed rows; unreadable evidence is shown as not known.
    package func detailed(from folder: RunFolder) -> ReportedRun {
        func read<Value: Decodable>(_ type: Value.Type, _ text: String?) -> Value? {
            text.flatMap { try? StableJSON.read(type, from: $0) }
        }
        var run = self
        for row in ReportPage.detailed(rows) {
            let identity = RowIdentity(row)
            let place = identity.evidencePath
            let log = folder.tail(of: "\(place)/worker.log")
            let evidence = read(
                IterationEvidence.self, try? folder.text(of: "\(place)/evidence.json"))
            guard log != nil || evidence != nil else { continue }
            run.details[identity] = KillDetails(workerLog: log, resumption: evidence?.resumption)
        }
        if manifest.fault == .powerCutTorn {
            run.unsynced = rows.compactMap {
                read([UnsyncedFileFacts].self, folder.unsynced(of: RowIdentity($0)))
            }
        }
        return run
    }

    package func publish(by console: Console) {
        if WorkflowReport.readsCommands {
            let commands = WorkflowCommand.annotations(summary, rows: rows, folder: folder)
            for command in commands { console.command(command) }
        }
        WorkflowReport.append(SummaryMarkdown.text(self), console: console)
    }
}

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
            missing: MergeSentences.missing(manifest, rows: rows),
            replaced: manifest.replaced ?? [], baseline: baseline)
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
