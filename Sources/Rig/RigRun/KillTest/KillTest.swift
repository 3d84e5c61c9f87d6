internal import Fixture
internal import Foundation
internal import RigLab
package import RigModel
internal import RigReport
internal import RigVerdict

package struct KillTest {
    let settings: RunSettings
    let console: Console
    let programs: Programs
    /// The worker with the settings applied, its programs by their paths.
    let worker: WorkerProfile
    let runID: String
    let interruption = Interruption()
    let started = ContinuousClock.now

    package init(_ settings: RunSettings, console: Console) throws {
        (self.settings, self.console) = (settings, console)
        runID = RunID.make(
            seed: settings.seed, at: settings.startedAt, partition: settings.partition)
        try settings.checkGates()
        programs = try Programs.find()
        worker = try programs.installed(settings.profile).setting(settings.values)
    }

    package func run() async throws -> ExitStatus {
        try RunEnvironment.check(settings.fault, leaving: settings.crashModel)
        let signals = Signals(interruption: interruption)
        defer { withExtendedLifetime(signals) {} }
        // Checked early, so that an unreadable video or a moment outside it leaves no run folder
        // behind.
        let local = try settings.video.local()
        let plan = try local.map(settings.checkedPlan)
        if let partition = settings.partition {
            return try await runPart(partition, of: local, digest: plan?.digest)
        }
        let (folder, lock) = try RunFolder.claim(settings.out ?? "results/\(runID)")
        defer { if lock.release() { folder.removeIfEmpty() } }
        do {
            return try await carryOut(local, in: folder)
        } catch let error as RigError where error.status.isRefusal && !folder.hasRows {
            // There is nothing in it that the message does not say.
            folder.discard()
            throw error
        }
    }

    private func carryOut(
        _ local: ReferenceVideo?, in folder: RunFolder
    ) async throws -> ExitStatus {
        let video = try await video(local, into: folder)
        let manifest = try await describe(video, in: folder)
        let baseline = try baseline(of: manifest)
        let progress = try await Campaign(
            manifest: manifest, video: video, folder: folder, lastingPath: folder.path,
            programs: programs, interruption: interruption, console: console, events: events,
            showsTimings: settings.showsTimings,
            prepared: { if settings.out == nil { folder.linkAsLatest() } }
        ).run()
        return try RunConclusion(
            folder: folder, manifest: manifest, gates: settings.gates, baseline: baseline,
            json: settings.json, started: started, console: console, events: events
        ).conclude(progress)
    }

    /// What the gates compare with: of a history, the runs of this job, now that it is known.
    private func baseline(of manifest: Manifest) throws -> GateBaseline? {
        guard settings.gates.contains(where: { $0.comparesWith(.history) }) else {
            return settings.reference
        }
        let criteria = try Criteria(
            of: manifest, given: settings.gates,
            ReferencePaths(baseline: manifest.baseline, history: manifest.history))
        try criteria.check(manifest)
        for lack in criteria.baseline?.shortages(of: settings.gates) ?? [] {
            console.note("rig: \(lack)")
        }
        return criteria.baseline
    }

    private func describe(_ video: ReferenceVideo, in folder: RunFolder) async throws -> Manifest {
        let plan = try await settle(
            try settings.checkedPlan(video: video), video: video, folder: folder)
        var manifest = manifest(plan, video: video, folder: folder)
        try await measure(&manifest, video: video, folder: folder)
        manifest.provenance = await programs.provenance(of: settings.profile)
        try folder.write(try ManifestJSON.text(manifest), to: "manifest.json")
        console.note("rig: run \(runID), seed \(settings.seed), folder \(folder.path)")
        events?.result(RunEvents.run(manifest, folder: folder.path))
        console.removeLeftovers(beside: folder)
        return manifest
    }

    func video(_ local: ReferenceVideo?, into folder: RunFolder) async throws -> ReferenceVideo {
        if let local { return local }
        if case .url(let url, _) = settings.video { console.detail("rig: fetching \(url)") }
        return try await settings.video.reference(
            into: folder, unless: interruption, warn: console.error)
    }

    var events: Console? { settings.json ? console : nil }

    /// The manifest, with the pace that needs no measuring.
    func manifest(_ plan: KillPlan, video: ReferenceVideo, folder: RunFolder) -> Manifest {
        settings.manifest(
            runID: runID, plan: plan, video: video, worker: worker, folder: folder)
    }

    func tryOut<Value>(
        _ manifest: Manifest, video: ReferenceVideo, folder: RunFolder,
        do body: (Laboratory) async throws -> Value
    ) async throws -> Value {
        let scratch = try folder.makeScratch()
        defer { folder.removeScratch() }
        return try await RunEnvironment.with(
            manifest, mark: runID, programs: programs, scratch: scratch,
            interruption: interruption, console: console
        ) { try await body($0.laboratory(manifest, video: video)) }
    }
}

extension KillTest {
    /// The plan with known moments: calls and lines of uninterrupted runs are counted first.
    func settle(
        _ plan: KillPlan, video: ReferenceVideo, folder: RunFolder
    ) async throws -> KillPlan {
        guard plan.needsCalls || plan.needsLines else { return plan }
        let manifest = manifest(plan, video: video, folder: folder)
        let counted = try await tryOut(manifest, video: video, folder: folder) { laboratory in
            plan.needsCalls
                ? plan.counting(try await countCalls(in: laboratory))
                : plan.counting(lines: [Policy.program.name: try await laboratory.countLines()])
        }
        try RigError.require(
            counted.isPossible, .unavailable,
            "the program says no line when it is not killed, so it cannot be killed after one;"
                + " have it flush each line, or use --trigger time")
        try settings.checkGates(RunSize(counted))
        return counted
    }

    /// How many calls a launch can be killed at, for the advice of a default run; nil elsewhere.
    func callsInPassing(
        _ plan: KillPlan, _ policy: Policy, in laboratory: Laboratory
    ) async throws -> Int? {
        guard plan.trigger == .random, plan.kills == 1, settings.fault == .sigkill,
            settings.originFaults == nil, settings.relaunch == nil
        else { return nil }
        do {
            return try await laboratory.countCalls(policy, lives: 1).values.reduce(0, +)
        } catch let error where !(error is Interrupted) {
            return nil
        }
    }

    private func countCalls(in laboratory: Laboratory) async throws -> [String: [String: Int]] {
        var points: [String: [String: Int]] = [:]
        for policy in settings.policies {
            console.redraw("counting the calls of uninterrupted runs of \(policy.subject)")
            let calls = try await laboratory.countCalls(policy, failing: settings.callFailure)
            points[policy.name] = calls
            let count = calls.values.reduce(0, +)
            console.redraw("")
            let what =
                settings.fault == .callError ? "that can fail so" : "that it can be killed at"
            console.note("rig: \(policy.subject) makes \(count) calls \(what)")
        }
        return points
    }
}

extension KillTest {
    private static let launches = 5

    /// Hands the pace on to the other parts of a run, in bytes per second: it is measured once.
    static let paceVariable = "RIG_PACE"

    /// The origin's bandwidth: where it only spreads kills, as high as they are still spread; where
    /// that cannot be measured, the work is long.
    func measure(
        _ manifest: inout Manifest, video: ReferenceVideo, folder: RunFolder
    ) async throws {
        guard settings.pacesOnlyKills else { return }
        let given = ProcessInfo.processInfo.environment[Self.paceVariable]
        if let pace = given.flatMap({ Int64($0) }) {
            manifest.bandwidth = pace
            return
        }
        let plan = manifest.plan
        // A pinned kill is not spread.
        guard plan.pinned == nil, let policy = plan.policies.first else { return }
        var unpaced = manifest
        unpaced.bandwidth = nil
        let starts: [Double]
        do {
            let measured = try await tryOut(unpaced, video: video, folder: folder) {
                (
                    starts: try await $0.measureStarts(policy, launches: Self.launches),
                    calls: try await callsInPassing(plan, policy, in: $0)
                )
            }
            (starts, manifest.calls) = (measured.starts, measured.calls)
        } catch let error where !(error is Interrupted) {
            // What is wrong with the worker is said when it is tried for the kills.
            return
        }
        guard let spread = Self.spread(starts) else { return }
        console.detail(
            "rig: the worker's first byte comes after "
                + "\(MetricUnit.readableSeconds(spread.least)) to "
                + "\(MetricUnit.readableSeconds(spread.most)), so the origin takes "
                + "\(MetricUnit.readableSeconds(spread.seconds)) for the video")
        manifest.bandwidth = settings.pace(
            length: video.bytes.length, seconds: spread.seconds)
    }

    /// Seconds for a video over which kills are spread; nil if too few starts are known.
    ///
    /// The first and the last start do not count: on a busy machine one launch of five begins late.
    static func spread(_ starts: [Double]) -> (least: Double, most: Double, seconds: Double)? {
        let usual = starts.sorted().dropFirst().dropLast()
        guard let least = usual.first, let most = usual.last else { return nil }
        let range = RunSettings.programSeconds
        let seconds = max(RunSettings.timesTheScatter * (most - least), range.lowerBound)
        return (least, most, min(seconds, range.upperBound))
    }
}
