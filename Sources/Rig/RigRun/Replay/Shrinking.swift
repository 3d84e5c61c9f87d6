internal import Fixture
internal import RigLab
internal import RigModel
internal import RigVerdict

struct Shrinking {
    let target: StoredKill
    let tally: ReplayTally
    let video: ReferenceVideo
    let environment: RunEnvironment
    let console: Console

    /// Searches for the smallest case; nil when the kill does not fail with its moment pinned.
    func run() async throws -> ShrunkKill? {
        let kill = ShrinkableKill(target)
        let search = ShrinkSearch(kill.dimensions)
        let cases = CaseLaboratory(environment: environment, video: video)
        func fails(_ values: [Int64]) async throws -> Bool {
            guard let manifest = kill.manifest(values) else { return false }
            let changes = kill.changes(values).map { "\($0.name) \($0.after)" }
            console.redraw("trying \(changes.joined(separator: ", "))")
            return try await self.fails(manifest, in: try cases.laboratory(for: manifest))
        }
        guard try await fails(search.dimensions.map(\.value)) else {
            console.note("rig: pinned to its moment it does not fail so; there is no smaller case")
            return nil
        }
        let smallest = try await search.run(fails)
        guard let manifest = kill.manifest(smallest.values) else { return nil }
        return ShrunkKill(
            changes: kill.changes(smallest.values), candidates: smallest.candidates,
            tries: tally.triesPerCandidate, isMinimal: smallest.isMinimal,
            command: (manifest.otherWorkingDirectory.map { "cd \(ShellWord.quoted($0)) && " } ?? "")
                + manifest.killTestCommand(iterations: tally.triesPerCandidate))
    }

    private func fails(_ manifest: Manifest, in laboratory: Laboratory) async throws -> Bool {
        let repetition = Repetition(kill: target.kill, laboratory: laboratory)
        let planned = manifest.plan.iteration(1, policy: manifest.plan.policies[0])
        do {
            try await laboratory.prepare([planned], console: console)
            var tally = ReplayTally(original: target.verdict, checkers: Set(target.checkers))
            for _ in 0..<self.tally.triesPerCandidate
            where tally.count(try await repetition.perform(planned, of: manifest)) { return true }
            return false
        } catch let error as RigError where error.status == .unavailable {
            // A worker that rejects such a threshold does not reproduce the run's failure.
            return false
        }
    }
}

/// The laboratory of the current case; cases with the same video share one.
private final class CaseLaboratory {
    private let environment: RunEnvironment
    private let video: ReferenceVideo
    private var current: (videoLength: Int64, library: LibraryPlan, laboratory: Laboratory)?
    private var count = 0

    init(environment: RunEnvironment, video: ReferenceVideo) {
        (self.environment, self.video) = (environment, video)
    }

    func laboratory(for manifest: Manifest) throws -> Laboratory {
        let length = manifest.video.length
        let library = LibraryPlan(manifest.plan.policies)
        if let current, current.videoLength == length,
            current.library == library || manifest.workload != .offlineLibrary
        {
            return current.laboratory
        }
        count += 1
        let laboratory = try environment.laboratory(
            manifest,
            video: length == video.bytes.length
                ? video : try .fixture(seed: VideoSettings.fixtureSeed, length: length),
            below: "case-\(count)")
        current = (length, library, laboratory)
        return laboratory
    }
}
