internal import FixtureOrigin
internal import Fixture
internal import RigModel

/// What a worker must do when nobody harms it, before anything can be said of its kills.
struct UnharmedGate: Sendable {
    let bench: Workbench
    let folder: IterationFolder
    let mount: Mount

    private var worker: WorkerProfile { bench.settings.worker }

    /// Looks at how a life has ended.
    ///
    /// - Parameter end: the life's end.
    /// - Throws: ``RigError`` with exit code 69 unless the worker ended by itself, with exit code 0,
    ///   and asked for the video.
    func check(_ end: WorkerLife.End<Milestones>) throws {
        if let reason = end.observed.end {
            if reason == .interrupted { throw Interrupted() }
            throw failure("it \(bench.complaint(of: reason))", advice: Self.advice(reason))
        }
        if let complaint = end.complaint { throw failure(complaint, advice: nil) }
        guard end.death == .exited(0) else {
            let log = WorkerLog.tail(folder.log)
            throw failure(log.map { "\($0) (\(end.death.words))" } ?? end.death.words, advice: nil)
        }
        guard worker.source != nil || !mount.ledger.isEmpty else {
            throw RigError(
                .unavailable,
                "the worker \(worker.name) never asked for \(mount.url); use {url} in its "
                    + (worker.server == nil ? "command" : "commands or {origin} in its files"))
        }
    }

    /// Looks whether the page is there that the profile speaks of.
    ///
    /// - Parameter page: the page, after the life.
    /// - Throws: ``RigError`` with exit code 69 when it was never written.
    func check(page: WitnessWatch) throws {
        guard worker.writesWitness, !page.isWritten else { return }
        throw RigError(
            .unavailable,
            "the worker \(worker.name) never wrote the page that RIG_WITNESS names, although its "
                + "profile says witness: true; have it map that file, or leave witness out")
    }

    /// Looks at the completed file.
    ///
    /// - Parameters:
    ///   - path: where it is.
    ///   - comparison: what came of comparing it with the video; nil when it is not there.
    /// - Throws: ``RigError`` with exit code 69 unless it equals the video.
    func check(file path: String, _ comparison: FileComparison.Result?) throws {
        guard let comparison else {
            let log = WorkerLog.ending(folder.log)
            throw failure(
                "it ended with exit code 0 and left no file \(path)\(log)",
                advice: "name the file that it writes, {output} or another, as completed")
        }
        guard comparison.differingBytes > 0 else { return }
        let place = comparison.firstDifference.map { ", the first at \($0.offset)" } ?? ""
        let count = comparison.differingBytes
        let bytes = count == 1 ? "1 byte of its file is" : "\(count) bytes of its file are"
        throw failure(
            "it ended with exit code 0, and \(bytes) unlike the video's\(place)", advice: nil)
    }

    private func failure(_ reason: String, advice: String?) -> RigError {
        RigError(
            .unavailable,
            "the worker \(worker.name) does not complete the video when nobody harms it: \(reason)"
                + (advice.map { "; \($0)" } ?? ""))
    }

    private static func advice(_ end: Patience.End) -> String? {
        end == .overran
            ? "it has to end by itself; where it needs longer, give --time-limit SECONDS" : nil
    }
}
