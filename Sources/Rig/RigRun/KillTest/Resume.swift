package import Foundation
internal import RigLab
package import RigModel
internal import RigReport
internal import RigVerdict

/// Finishes a run that was cut short by a signal to the rig or by a power cut.
package struct Resume {
    /// The run folder, or the unfinished folder of a part.
    private let run: String
    /// The number of parallel iterations from now on; nil for as many as before.
    private let jobs: Int?
    /// Where the runs lie that its gates compare with, unless it is where they were.
    private let references: ReferencePaths
    private let startedAt: Date
    private let json: Bool
    private let console: Console
    private let started = ContinuousClock.now

    package init(
        _ run: String, jobs: Int?, references: ReferencePaths, startedAt: Date, json: Bool,
        console: Console
    ) {
        (self.run, self.jobs, self.references, self.startedAt) = (run, jobs, references, startedAt)
        (self.json, self.console) = (json, console)
    }

    package func run() async throws -> ExitStatus {
        let stored = try StoredRun(run)
        try check(stored)
        let criteria = try criteria(stored.manifest)
        let progress: Campaign.Progress
        do {
            let lock = try RunLock(stored.folder)
            // Released before a part's folder is renamed.
            defer { lock.release() }
            var held = stored
            held.folder = stored.folder.held(by: lock)
            if !lock.isCertain {
                console.note(
                    "rig: the file system of \(stored.folder.path) does not support locks: make sure that no "
                        + "other rig works in it")
            }
            progress = try await goOn(held)
            if stored.manifest.partition == nil { return try conclude(progress, held, criteria) }
        }
        return try conclude(progress, stored, criteria)
    }

    /// Reads the criteria of the judgement before any kill is done for it; nil for a part.
    private func criteria(_ manifest: Manifest) throws -> Criteria? {
        if let partition = manifest.partition {
            guard !references.isEmpty else { return nil }
            throw RigError.usage(
                "--\(references.named) has no effect: \(partition.words) is not judged; leave it out, and "
                    + "give it to rig judge for all parts")
        }
        return try Criteria(
            of: manifest, references,
            remedy: "leave it out: only gates of the run itself apply to it")
    }

    private func check(_ stored: StoredRun) throws {
        let manifest = stored.manifest
        try RigError.require(
            manifest.parts == nil,
            "\(stored.folder.path) was merged from parts; finish the part that is missing, and "
                + "merge again")
        let version = manifest.versions["rig"] ?? "not known"
        guard version == RigVersion.current else {
            throw RigError.data(
                "\(stored.folder.path) was begun by rig \(version), and this is \(RigVersion.current): its rows "
                    + "would not be comparable; finish it with that version, or run it again")
        }
    }

    private func goOn(_ stored: StoredRun) async throws -> Campaign.Progress {
        let folder = stored.folder
        let (point, length) = try stored.resumePoint(console: console)
        guard !point.remaining.isEmpty else {
            console.note(
                "rig: the run in \(folder.path) is complete: there is nothing to go on with")
            return Campaign.Progress(rows: point.kept)
        }
        try RunEnvironment.check(stored.manifest.fault, leaving: stored.manifest.crashModel)
        try JobFit(
            jobs: jobs(stored.manifest), worker: stored.manifest.storedProfile,
            port: stored.manifest.port
        ).check()
        let programs = try Programs.find(from: stored.manifest.otherWorkingDirectory)
        try check(programs, of: stored)
        try stored.manifest.checkEnvironment(of: programs.installed(stored.manifest.storedProfile))
        let video = try ReferenceVideo.stored(
            stored.manifest.video, folder: folder, fixtureSeed: VideoSettings.fixtureSeed)
        return try await carryOut(point, stored, keeping: length, video: video, programs: programs)
    }

    private func check(_ programs: Programs, of stored: StoredRun) throws {
        let profile = try stored.manifest.storedProfile
        guard let provenance = stored.manifest.provenance else {
            console.note(
                "rig: the run does not say which programs it was begun with; if they have changed, "
                    + "its rows are not comparable")
            return
        }
        for program in provenance.changedPrograms(programs.digests(of: profile)) {
            guard program.then != Provenance.unknown, program.now != Provenance.unknown else {
                console.note("rig: whether \(program.name) has changed is not known")
                continue
            }
            throw RigError.data(
                "\(stored.folder.path) was begun with another \(program.name) (\(program.then)) than "
                    + "there is now (\(program.now)): its rows would not be comparable; put that "
                    + "one back, or run it again")
        }
    }

    private func jobs(_ manifest: Manifest) -> Int { jobs ?? manifest.currentJobs }

    private func carryOut(
        _ point: ResumePoint, _ stored: StoredRun, keeping length: Int, video: ReferenceVideo,
        programs: Programs
    ) async throws -> Campaign.Progress {
        let folder = stored.folder
        let interruption = Interruption()
        let signals = Signals(interruption: interruption)
        defer { withExtendedLifetime(signals) {} }
        console.removeLeftovers(beside: folder)
        let kills = stored.manifest.plan.kills
        try folder.cut(
            "iterations.csv", to: length,
            evidence: Set(
                point.remaining.flatMap { planned in
                    (1...kills).map { "\(planned.policy.name)-\(planned.iteration)-\($0)" }
                }))
        var manifest = stored.manifest
        let resumed = Manifest.Resumed(
            startedAt: RunID.timestamp(startedAt),
            host: MachineFacts.read(folder: folder.path).host, jobs: jobs(manifest))
        manifest.record.resumed = (manifest.record.resumed ?? []) + [resumed]
        try folder.write(try ManifestJSON.text(manifest), to: "manifest.json")
        let left = point.remaining.count
        console.note(
            "rig: going on with run \(manifest.runID) in \(folder.path): \(point.kept.count) rows are "
                + "kept, \(left) iteration\(left == 1 ? " is" : "s are") left")
        let lasting =
            manifest.partition.flatMap { PartFolder(unfinished: folder, partition: $0)?.path }
        return try await Campaign(
            manifest: manifest, video: video, folder: folder,
            lastingPath: lasting ?? folder.lastingPath,
            kept: point.kept, programs: programs, interruption: interruption, console: console
        ).run()
    }

    private func conclude(
        _ progress: Campaign.Progress, _ stored: StoredRun, _ criteria: Criteria?
    ) throws -> ExitStatus {
        try stored.folder.check()
        let manifest = try StoredRun(stored.folder.path).manifest
        guard let partition = manifest.partition else {
            return try RunConclusion(
                folder: stored.folder, manifest: manifest, gates: criteria?.gates ?? [],
                baseline: criteria?.baseline, json: json, started: started, console: console
            ).conclude(progress)
        }
        let part = PartFolder(unfinished: stored.folder, partition: partition)
        return try PartConclusion(
            folder: part, place: stored.folder, partition: partition, manifest: manifest,
            json: json, console: console
        ).conclude(progress)
    }
}
