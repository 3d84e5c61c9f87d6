internal import Fixture
internal import FixtureOrigin
internal import RigModel

extension DownloadScenario {
    /// Lets a worker that ended well export the completed video, and compares it; the file of one
    /// without an export step that did not end well is not called completed.
    func export(
        _ life: WorkerRun, after death: Death, as version: Resource? = nil, isLast: Bool = false,
        stopwatch: IterationStopwatch? = nil
    ) async throws -> Export {
        let folder = life.folder
        var exported = death
        var hang: StallDetector.End?
        if let export = settings.worker.exportStep, death == .exited(0) {
            folder.removeOutput()
            var monitor = context.monitor(
                try folder.freshWitness(), until: video.length, in: folder)
            monitor.isOnlyWaitedFor = true
            let end = try await life.export(by: export, monitor)
            (exported, hang) = (end.death, end.seen.gaveUp)
            stopwatch?.lap(.export)
        }
        let file = life.values.fill(settings.worker.completed)
        guard exported == .exited(0) || settings.worker.exportStep != nil,
            // A file that the worker could not write, or a link to one, is not its work.
            RealPath.isIn(context.writable(in: folder), file)
        else { return Export(death: exported, comparison: nil, hang: hang) }
        let wanted = version?.source ?? video
        async let like = kept(of: wanted, by: life, isLast: isLast)
        let comparison = try FileComparison.compare(
            file: file, with: wanted, before: version.map { _ in video })
        var kept = try await like
        if comparison?.isVersionBefore == true {
            kept = try await self.kept(of: video, by: life, isLast: isLast)
        } else if comparison?.differingBytes != 0 {
            // The file itself shows what is wrong.
            kept = Kept()
        }
        stopwatch?.lap(.compare)
        return Export(death: exported, comparison: comparison, kept: kept, hang: hang)
    }

    /// What a worker keeps of a version when its work is done, if the completed file does not show
    /// it; before another launch a copy is looked at, as a look may leave something.
    private func kept(
        of version: any VideoSource, by life: WorkerRun, isLast: Bool
    ) async throws -> Kept {
        guard settings.worker.exportsItself else { return Kept() }
        let folder = life.folder
        let copy =
            isLast
            ? folder.restingState
            : try StateCopy.copy(from: folder.state, to: folder.copyAfterwards)
        return await onOwnThread {
            let whole = ByteRanges([0..<version.length])
            switch settings.worker.examine(
                copy: copy, fileName: settings.fileName,
                in: PositionSpace([(life.values.fill("{url}"), version)]))
            {
            case nil: return Kept()
            case .failed(let complaint): return Kept(unread: complaint)
            case .unfit(let complaint): return Kept(missing: whole, unread: complaint)
            case .found(let found):
                guard found.integrityCheck == "ok" else { return Kept(missing: whole) }
                return Kept(
                    missing: whole.subtracting(found.recovered.intersection(found.claimedRanges)))
            }
        }
    }

    struct Export {
        /// How the exporting worker ended; without an export step, how the previous one ended.
        let death: Death
        let comparison: FileComparison.Result?
        var kept = Kept()
        let hang: StallDetector.End?

        /// How many bytes of the file, or of what is kept, are unlike the video's.
        var differingBytes: Int64? {
            comparison.map { max($0.differingBytes, kept.missing?.count ?? 0) }
        }

        var work: LifeEnd.Work {
            var work = LifeEnd.Work(differingBytes: differingBytes, cut: comparison?.cut)
            work.surplus = comparison?.surplus
            return work
        }
    }

    /// What a worker keeps when its work is done; empty where the completed file shows it.
    struct Kept: Sendable {
        var missing: ByteRanges?
        var unread: String?
    }
}
