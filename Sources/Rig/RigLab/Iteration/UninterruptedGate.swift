internal import FixtureOrigin
internal import Fixture
internal import RigModel

/// Checks that an unharmed worker does its work; otherwise its kills would prove nothing.
struct UninterruptedGate: Sendable {
    let context: IterationContext
    let folder: IterationFolder
    /// Where it finds the video; nil for a program that fetches nothing.
    var mount: Mount?
    /// The file in which such a program says what it has done; nil for none.
    var lines: String?

    private var worker: WorkerProfile { context.settings.worker }

    func check(_ end: Launch) throws {
        if let reason = end.seen.gaveUp {
            if reason == .interrupted { throw Interrupted() }
            let complaint = context.settings.complaint(of: reason)
            throw failed(end, failure("it \(complaint)", advice: advice(reason)))
        }
        if let complaint = end.complaint { throw failed(end, failure(complaint, advice: nil)) }
        // With a planted bug it may refuse to hand out what it has stored, and is judged with that.
        let isJudged =
            worker.exportsItself && !worker.isHeldToItsWork && end.seen.complete != nil
        guard end.death == .exited(0) || isJudged else {
            if let failure = Tracing.failure(in: folder) { throw failure }
            let log = WorkerLog.tail(folder.log) ?? lines.flatMap { WorkerLog.tail($0) }
            let words = log.map { "\($0) (\(end.death.words))" } ?? end.death.words
            throw failed(end, failure(words, advice: OwnLimits.ofThisProcess.cause(of: end.death)))
        }
        guard let mount, worker.source == nil else { return }
        try RigError.require(
            !mount.ledger.isEmpty, .unavailable,
            "the worker \(worker.name) never asked for \(mount.url); use {url} in its "
                + (worker.server == nil ? "command" : "commands or {origin} in its files"))
    }

    /// Throws exit code 69 where the profile declares a witness page and the life has written none.
    func check(page: WitnessWatch) throws {
        try RigError.require(
            !worker.writesWitness || page.isWritten, .unavailable,
            "the worker \(worker.name) never wrote the page that RIG_WITNESS names, although its "
                + "profile says witness: true; have it map that file, or leave witness out")
    }

    /// Throws exit code 69 unless the completed file equals the video; nil stands for no file.
    func check(file path: String, _ comparison: FileComparison.Result?) throws {
        guard let comparison else {
            let log = WorkerLog.ending(folder.log)
            throw failure(
                "it ended with exit code 0 and left no file \(path)\(log)",
                advice: "name the file that it writes, {output} or another, as completed")
        }
        guard comparison.differingBytes > 0 else { return }
        let words = FileComparison.words(comparison)
        throw failure("it ended with exit code 0, and \(words)", advice: nil)
    }

    /// Checks what the worker keeps; throws exit code 69 unless it is the whole video.
    func check(_ kept: DownloadScenario.Kept) throws {
        let advice = "check what 'inspect' in its profile reads when its work is done"
        if let reason = kept.unread {
            throw failure("what it keeps cannot be read: \(reason)", advice: advice)
        }
        guard let missing = kept.missing, !missing.isEmpty else { return }
        throw failure(
            "it ended with exit code 0, and keeps \(missing.count) bytes less than the video",
            advice: advice)
    }

    private func failed(_ end: Launch, _ error: RigError) -> UninterruptedFailure {
        UninterruptedFailure(
            end: context.settings.end(.measured, of: end, expectedDeath: .exited(0)), error: error)
    }

    private func failure(_ reason: String, advice: String?) -> RigError {
        context.unable(folder, reason, fault: reason, advice: advice)
    }

    private func advice(_ end: StallDetector.End) -> String? {
        let isLong = end == .overran
        guard let check = worker.check else {
            return isLong
                ? "it has to end by itself; where it needs longer, give --time-limit SECONDS" : nil
        }
        guard check.seconds == nil else { return nil }
        return "a program that does not end by itself needs --for 2s; one that "
            + (isLong
                ? "takes longer needs --time-limit SECONDS"
                : "works in silence has to say a line now and then, or let a file grow")
    }
}

/// A worker failed without a kill: that ends the run before the first one, and is a finding later.
struct UninterruptedFailure: Error {
    let end: LifeEnd
    var error: RigError

    func naming(_ place: String?) -> UninterruptedFailure {
        guard let place else { return self }
        var named = self
        named.error = RigError(
            error.status, "\(error.message); the last place that it was refused is \(place)")
        return named
    }
}
