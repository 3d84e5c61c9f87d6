internal import RigLab
internal import RigModel
internal import RigReport
internal import RigVerdict

extension KillTest {
    /// A part succeeds when all of its rows are there: the merge judges them.
    func runPart(
        _ partition: RunPartition, of local: ReferenceVideo?, digest: String?
    ) async throws -> RigModel.ExitStatus {
        let parts = settings.out ?? "results/parts-\(digest ?? "")"
        let folder = try PartFolder(partition, in: parts, runID: runID)
        defer { folder.unfinished.removeIfEmpty() }
        let video = try await video(local, into: folder.unfinished)
        var manifest = manifest(
            try settings.checkedPlan(video: video), video: video, folder: folder.unfinished)
        manifest.provenance = await programs.provenance(of: settings.profile)
        let conclusion = PartConclusion(
            folder: folder, place: folder.unfinished, partition: partition, manifest: manifest,
            json: settings.json, console: console)
        if let finished = folder.finished {
            folder.discard()
            return try conclusion.sayAlreadyThere(finished)
        }
        return try await carryOut(manifest, of: video, in: folder, conclusion: conclusion)
    }

    private func carryOut(
        _ manifest: Manifest, of video: ReferenceVideo, in folder: PartFolder,
        conclusion: PartConclusion
    ) async throws -> RigModel.ExitStatus {
        let unfinished = folder.unfinished
        try unfinished.write(try ManifestJSON.text(manifest), to: "manifest.json")
        console.note(
            "rig: \(conclusion.partition.words), run \(manifest.runID), seed \(settings.seed), folder "
                + folder.path)
        events?.result(RunEvents.run(manifest, folder: folder.path))
        console.removeLeftovers(beside: unfinished)
        // Taken outside the `do`: a folder that another rig has locked must not be discarded.
        let lock = try RunLock(unfinished)
        let progress: Campaign.Progress
        do {
            // Released before the folder is renamed.
            defer { lock.release() }
            progress = try await Campaign(
                manifest: manifest, video: video, folder: unfinished.held(by: lock),
                lastingPath: folder.path, programs: programs, interruption: interruption,
                console: console, events: events, showsTimings: settings.showsTimings
            ).run()
        } catch {
            // The preparation failed, so nothing was started.
            folder.discard()
            throw error
        }
        return try conclusion.conclude(progress)
    }
}

struct PartConclusion {
    /// The part while it is unfinished; nil when its folder must keep its name.
    let folder: PartFolder?
    let place: RunFolder
    let partition: RunPartition
    let manifest: Manifest
    let json: Bool
    let console: Console

    func conclude(_ progress: Campaign.Progress) throws -> RigModel.ExitStatus {
        let rows = progress.rows.count
        if let timings = progress.timings { console.result(timings) }
        if let early = progress.early {
            guard rows > 0 else {
                // Without rows there is nothing to resume, so the folder is removed.
                folder?.discard()
                throw early
            }
            if place.path.isFolder {
                console.note(
                    "rig: \(rows) of \(manifest.expectedRows) rows of \(partition.words) are there: "
                        + "go on with rig resume \(ShellWord.quoted(place.path))")
            }
            throw early
        }
        try RigError.require(
            rows == manifest.expectedRows, .incomplete,
            "\(rows) of \(manifest.expectedRows) rows of \(partition.words) are there; run it "
                + "again")
        guard let folder else {
            say(place, rows: rows, wasThere: true)
            return .success
        }
        guard let finished = try folder.finish() else {
            let other = try RunFolder(existing: folder.path)
            let status = try sayAlreadyThere(other)
            folder.discard()
            return status
        }
        say(finished, rows: rows, wasThere: false)
        return .success
    }

    /// Reports that there is nothing to do; exit code 65 if the existing part is of another run.
    func sayAlreadyThere(_ finished: RunFolder) throws -> RigModel.ExitStatus {
        let stored = try StoredRun(finished.path)
        if let contradiction = PartContradiction(stored.manifest, manifest) {
            throw RigError.data(
                "\(finished.path) is a part of another run: \(contradiction.words) (the one that is "
                    + "there, and the one asked for); name another folder with --out")
        }
        let rows = try stored.rows(console: console).count
        try RigError.require(
            rows == manifest.expectedRows, .incomplete,
            "\(rows) of \(manifest.expectedRows) rows of \(finished.path) are there; go on with "
                + "rig resume \(ShellWord.quoted(finished.path))")
        say(finished, rows: rows, wasThere: true)
        return .success
    }

    private func say(_ part: RunFolder, rows: Int, wasThere: Bool) {
        let parts = part.path.parentFolder
        let report = PartReport(
            partition: partition, folder: part.path, rows: rows,
            expectedRows: manifest.expectedRows, wasThere: wasThere,
            parts: parts.isEmpty ? "." : parts)
        console.result(json ? RunEvents.part(report) : PartReportText.text(report))
    }
}
