internal import RigLab
package import RigModel
internal import RigReport
internal import RigVerdict
internal import StorageModel

/// `rig explain`: which call a failed kill is about, which rule it broke, and what mends it.
package struct Explain {
    private static let mostStatesOfATrial = 20

    private let target: ReplayTarget
    private let times: Int
    private let kills: Int
    private let console: Console
    /// The run as it is made again: of a real power cut under the model of its disk.
    private let manifest: Manifest
    private let again: ReplayEnvironment

    package init(target: ReplayTarget, times: Int, kills: Int, console: Console) throws {
        (self.target, self.times, self.kills, self.console) = (target, times, kills, console)
        try Self.check(target.kill)
        let stored = target.kill.manifest
        manifest = stored.with(
            plan: stored.plan, video: stored.video,
            fault: stored.fault == .powerCut ? .powerCutTorn : nil)
        again = try ReplayEnvironment(manifest, in: target.folder, for: "explain", console: console)
    }

    private static func check(_ kill: StoredKill) throws(RigError) {
        let manifest = kill.manifest
        try RigError.require(
            kill.verdict == .fail,
            "\(kill.title) did not fail; name one that did: rig list, or iterations.csv")
        try RigError.require(
            kill.planned.kills.count == 1,
            "\(kill.title) is one of several kills of an iteration, which cannot be told apart; "
                + "run with --kills 1, and explain a kill of that run")
        try RigError.require(
            manifest.fault != .diskFull,
            "\(kill.title) had a disk that was full, for all that was written to it, so no call can "
                + "be named; run with --trigger syscall --fault call-error --error enospc")
        try RigError.require(
            manifest.fault.isPowerCut || manifest.callFailure != nil
                || kill.planned.first.trigger.kind == .syscall,
            "\(kill.title) was made by no power cut, at no system call, and with no failing "
                + "call, so no call can be named; run with --trigger syscall, or with --fault "
                + "power-cut-torn")
    }

    package func run(json: Bool) async throws -> ExitStatus {
        let explanation = try await again.with(
            do: manifest.fault.isPowerCut ? cause(in:) : call(in:))
        console.result(json ? ExplanationJSON.text(explanation) : ExplanationText.text(explanation))
        return explanation.status
    }

    // MARK: Without a power cut

    /// The call under way, with what the relaunch read, or that failed: no more is known of it.
    private func call(in environment: RunEnvironment) async throws -> Explanation {
        let kill = target.kill
        let laboratory = try environment.laboratory(
            manifest, video: again.video, below: "explain"
        ) { $0.notesReads = manifest.callFailure == nil }
        try await laboratory.prepare([kill.planned], console: console)
        for index in 1...times {
            console.redraw("launch \(index) of at most \(times)")
            let outcome = try await laboratory.perform(kill.planned)
            defer { laboratory.discard(outcome) }
            let judged = outcome.kills.map { Judge.judge($0) }
            guard
                let failed = judged.first(where: {
                    $0.verdict == .fail
                        && !Set($0.findings.map(\.checker)).isDisjoint(with: kill.checkers)
                }), let calls = failed.evidence.calls
            else { continue }
            if let failure = calls.failed {
                return Explanation(
                    kill: kill, rule: "the call that failed is \(failure.words)",
                    notes: kill.manifest.callFailure?.afterSync == nil
                        ? [] : ["what the failed sync lost is not looked for"])
            }
            guard let last = calls.last else { continue }
            return Explanation(
                kill: kill,
                rule: "the kill came \(last), call \(calls.counted) of the launch",
                readFirst: try await laboratory.readFirst(in: outcome, kill.planned),
                notes: [
                    "a kill without a power cut takes nothing that was written: what is wrong was "
                        + "wrong when that call was made"
                ])
        }
        throw notAgain(nil)
    }

    private func notAgain(_ complaint: String?) -> RigError {
        RigError(
            .inconclusive,
            "in \(times) launches of \(target.kill.title) no state fails as it did"
                + (complaint.map { ": \($0)" } ?? "") + "; try --times \(10 * times)")
    }

    // MARK: A power cut

    private func cause(in environment: RunEnvironment) async throws -> Explanation {
        let kill = target.kill
        let explorer = CauseExplorer(of: kill, states: manifest.crashModel?.states.most ?? 1)
        let laboratory = try environment.laboratory(
            manifest, video: again.video, below: "explain"
        ) { $0.explorer = explorer }
        try await laboratory.prepare([kill.planned], console: console)
        for index in 1...times where explorer.finding == nil {
            console.redraw("launch \(index) of at most \(times)")
            laboratory.discard(try await laboratory.perform(kill.planned))
        }
        guard let finding = explorer.finding else { throw notAgain(explorer.complaint) }
        let words = LifeInWords(finding.log, calls: finding.calls.mapValues { $0.name })
        let cures = finding.outcome.cures.map { cure in
            Explanation.Cure(
                words: words.words(cure), syncs: words.placed(cure), mended: finding.failing)
        }
        var trial: Explanation.Trial?
        if let first = cures.first, kills > 0 {
            trial = try await self.trial(of: first, in: environment)
        }
        return Explanation(
            kill: kill, rule: finding.outcome.causes.map(words.rule).joined(separator: "; and "),
            calls: try await calls(of: finding, words), cures: cures, states: finding.failing,
            tried: finding.outcome.others, probes: finding.probes, trial: trial,
            unsynced: finding.unsynced, notes: notes(on: finding))
    }

    private func notes(on finding: CauseExplorer.Finding) -> [String] {
        var notes: [String] = []
        if target.kill.manifest.fault == .powerCut {
            notes.append("the cut of the run was a real one; this is the model of such a disk")
        }
        if finding.outcome.cures.isEmpty {
            notes.append("no sync that was tried makes every failing state pass")
        } else if finding.outcome.isSmallest {
            notes.append("no smaller cure does: each was tried")
        } else {
            notes.append("whether fewer syncs do is not known")
        }
        return notes
    }

    private func calls(
        of finding: CauseExplorer.Finding, _ words: LifeInWords
    ) async throws -> [Explanation.Call] {
        var calls: [Explanation.Call] = []
        for cause in finding.outcome.causes {
            for ordinal in cause.lost + [cause.kept].compactMap(\.self) {
                guard let operation = words.operation(ordinal) else { continue }
                calls.append(
                    Explanation.Call(
                        number: operation.call, words: words.words(operation),
                        threadID: operation.threadID,
                        fate: words.fate(ordinal, by: cause.decisions),
                        syncs: words.syncs(around: ordinal),
                        stack: await stack(finding.calls[ordinal]?.places ?? [])))
            }
        }
        return calls
    }

    private func stack(_ places: [StackPlace]) async -> [Explanation.Call.Frame] {
        var frames: [Explanation.Call.Frame] = []
        for place in places {
            switch place {
            case .code(let module, let offset):
                // A return address is that of the next instruction.
                let symbol = await Symbols.places(in: module, at: [offset - 1])
                let address = "\(Self.name(of: module))+0x\(String(offset, radix: 16))"
                frames.append(.init(address: address, symbol: symbol[0]))
            case .line(let file, let line, let function):
                let symbol = "\(function) at \(Self.name(of: file)):\(line)"
                frames.append(.init(address: file, symbol: symbol))
            }
        }
        return frames
    }

    private static func name(of path: String) -> String {
        path.split(separator: "/").last.map(String.init) ?? ""
    }

    /// Kills new lives at the planned moments of the run, while the tracer makes the syncs.
    private func trial(
        of cure: Explanation.Cure, in environment: RunEnvironment
    ) async throws -> Explanation.Trial {
        let laboratory = try environment.laboratory(
            manifest, video: again.video, below: "cure"
        ) {
            $0.placedSyncs = cure.syncs
            // A sweep of each kill would take minutes.
            $0.crashModel.states = .drawn(min($0.crashModel.states.most, Self.mostStatesOfATrial))
        }
        let (plan, policy) = (manifest.plan, target.kill.planned.policy)
        // The kill itself first, and then those of the run.
        let own = target.kill.planned.iteration
        let planned = (0..<kills).map { index in
            plan.iteration((own - 1 + index) % plan.iterations + 1, policy: policy)
        }
        try await laboratory.prepare(planned, console: console)
        var trial = Explanation.Trial()
        for (index, planned) in planned.enumerated() {
            console.redraw("kill \(index + 1) of \(kills) with the cure")
            let outcome = try await laboratory.perform(planned)
            defer { laboratory.discard(outcome) }
            switch Judge.judge(outcome.kills[0]).verdict {
            case .pass: trial.passed += 1
            case .fail: trial.failed += 1
            case .inconclusive: trial.inconclusive += 1
            }
        }
        return trial
    }
}

extension LifeInWords {
    func placed(_ cure: SyncCure) -> [PlacedSync] {
        cure.syncs.compactMap { sync in
            let (edge, operation): (CallMoment.Edge, StorageOperation?) =
                next(after: sync.after).map { (.before, $0) }
                ?? (.after, self.operation(sync.after))
            guard let operation else { return nil }
            let (kind, target): (PlacedSync.Kind, String) =
                switch sync.target {
                case .data(let file): (.data, path(of: file, at: sync.after + 1))
                case .file(let file): (.file, path(of: file, at: sync.after + 1))
                case .folder(let path): (.folder, path)
                }
            let on = path(operation) ?? "*"
            var pattern = PlacedSync.pattern(of: target)
            if edge == .before, case .rename(target, _) = operation.kind {
                pattern = PlacedSync.renamed
            }
            return PlacedSync(
                kind, of: pattern, edge, call: call(operation),
                on: on == "." ? "*" : PlacedSync.pattern(of: on))
        }
    }
}
