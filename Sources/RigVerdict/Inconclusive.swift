import RigModel

/// Why a kill proves nothing.
enum Inconclusive {
    /// The first reason that applies; nil when the kill proves something.
    static func reason(_ evidence: IterationEvidence, _ figures: Measurements) -> String? {
        if evidence.plan.first.trigger == .never {
            return sparedReason(evidence) ?? sourceReason(evidence, figures)
        }
        return killReason(evidence) ?? sourceReason(evidence, figures) ?? momentReason(figures)
    }

    /// A worker that was spared has to end by itself, or in good order when a player is done.
    private static func sparedReason(_ evidence: IterationEvidence) -> String? {
        let good: [Death] = evidence.workload.hasPlayer ? [.exited(143)] : [.exited(0)]
        guard !good.contains(evidence.death) else { return nil }
        return "the worker was spared, and ended with \(evidence.death)"
    }

    /// The process has to die of the rig's own signal.
    private static func killReason(_ evidence: IterationEvidence) -> String? {
        switch (evidence.killSent, evidence.death) {
        case (true, .signaled(evidence.fault.signal)):
            nil
        case (false, .signaled(9)):
            "signal 9 that was not ours: out of memory?"
        case (_, .signaled(let signal)):
            "signal \(signal) ended the worker, not the kill"
        case (_, .exited(let code)):
            "the worker ended by itself with exit code \(code) before the kill"
        }
    }

    /// Without a page or a state there is nothing to compare.
    private static func sourceReason(
        _ evidence: IterationEvidence, _ figures: Measurements
    ) -> String? {
        if let fault = figures.witnessFault { return fault }
        guard evidence.autopsy == nil else { return nil }
        return "the state could not be read: \(evidence.autopsyError ?? "no reason given")"
    }

    /// The kill has to land inside the work.
    private static func momentReason(_ figures: Measurements) -> String? {
        if figures.received?.isEmpty ?? true { return "nothing had been received yet" }
        if figures.recovered == figures.video {
            return "the work was done already: the whole video is recovered"
        }
        if figures.received == figures.video, figures.acknowledged == figures.video {
            return "the work was done already: the whole video was acknowledged"
        }
        return nil
    }
}
