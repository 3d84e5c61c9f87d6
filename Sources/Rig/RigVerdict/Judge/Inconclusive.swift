import RigModel

extension JudgedKill {
    var inconclusive: String? {
        let source = pageReason ?? unreadReason
        return evidence.plan.first.trigger == .never
            ? sparedReason ?? source : killReason ?? source ?? momentReason
    }

    /// Why the state could not be read, if the kill would be conclusive otherwise: what is fetched
    /// again shows a loss, or a worker could make its state unreadable when it keeps nothing.
    var onlyUnread: String? {
        guard evidence.plan.first.trigger != .never, killReason == nil, pageReason == nil,
            momentReason == nil
        else { return nil }
        return unreadReason
    }

    /// The outside cause that ended a life before or after the kill; nil when there was none.
    var outsideReason: String? {
        LifeEnd.Life.allCases.compactMap { evidence.excuse(of: $0) }.first
    }

    var unreadAfterwards: String? {
        guard let resumption = evidence.resumption, resumption.notKept == nil else { return nil }
        return resumption.unread.map { "the state after the relaunch could not be read: \($0)" }
    }

    /// Why the calls that were counted are not all of them; nil for kills by other triggers.
    var uncounted: String? {
        guard let unseen = evidence.calls?.unseen, !unseen.isEmpty else { return nil }
        let what = evidence.fault == .callError ? "fails" : "is a moment of a kill"
        return "not counted: \(unseen.joined(separator: ", ")), so nothing of it \(what)"
    }

    /// Why nothing could be judged of a kill in a chain without inspection.
    var chainReason: String? {
        guard !evidence.contract.hasInspection, evidence.workload.hasBytes else { return nil }
        // The loss is named as one that is not known.
        if evidence.mostLost != nil, evidence.contract.bound == nil || figures.isSurelyWithinBound {
            return nil
        }
        if evidence.kill > 1, !evidence.beganWithKnown, evidence.workload == .download {
            return "what the kill before it had left is not known"
        }
        guard evidence.resumption?.wasKilled == true else { return nil }
        if figures.recovered == nil, evidence.lostByAnyKill != nil { return Measurements.anyKill }
        return figures.corruptBytes == nil
            ? "the relaunched worker was killed in its turn, and without its state nothing tells what"
                + " this kill cost" : nil
    }

    /// A spared worker must end by itself or, with a player, in an orderly shutdown.
    private var sparedReason: String? {
        guard evidence.death != evidence.expectedUnkilledDeath else { return nil }
        if let cause = evidence.excuse(of: .struck) { return cause }
        return "the worker was spared, and ended with \(evidence.death)"
    }

    /// The process must die of the rig's own signal.
    private var killReason: String? {
        let wanted = evidence.fault.signal
        if let cause = evidence.excuse(of: .struck) { return cause }
        if evidence.failure != nil {
            guard evidence.isUnhindered else { return nil }
            // A program that a check judges may have refused its work, and gone on.
            return evidence.workload.hasBytes
                ? "the worker did its work, so the full disk was not in its way"
                : "the worker ended well, and nothing tells whether the full disk was in its way: "
                    + "--fault call-error --error enospc does"
        }
        return switch (evidence.killSent, evidence.death) {
        // A disconnected worker may die of the resulting errors before signal 9 arrives.
        case (true, _) where evidence.fault == .powerCut: nil
        case (true, _) where evidence.asked != nil && evidence.diedOfItsFault: nil
        case (true, .signaled(wanted)): nil
        case (false, .signaled(9)) where evidence.fault == .oom:
            "signal 9 that was not ours: the kernel counted no death for want of memory"
        case (true, .signaled(let signal)) where wanted != 9:
            "signal \(signal) ended the worker, not the signal \(wanted) that was sent"
        case (true, .exited(let code)) where wanted != 9:
            "the worker answered signal \(wanted) with exit code \(code)"
        case (false, .signaled(9)) where evidence.givenUp != nil:
            "the worker \(evidence.givenUp ?? ""), and was ended before its kill"
        case (_, .signaled(let signal)): "signal \(signal) ended the worker, not the kill"
        case (false, .exited(let code)) where missed != nil:
            "the worker \(missed ?? ""), and ended by itself with exit code \(code)"
        case (_, .exited(let code)):
            "the worker ended by itself with exit code \(code) before the kill"
        }
    }

    /// Why the page is unusable; faults that only the worker can have caused are findings instead.
    private var pageReason: String? {
        if let fault = figures.witnessFault, !fault.isOfTheWorker { return fault.sentence }
        if let sockets = evidence.sockets, sockets.isLost, evidence.contract.hasWitness {
            return "the page cannot be held against the kernel: \(sockets.unknownReason ?? "")"
        }
        return nil
    }

    /// Why the rig could not open or query the state; a damaged state is a finding instead.
    private var unreadReason: String? {
        guard evidence.contract.hasInspection, evidence.autopsy == nil, evidence.unseen == nil
        else { return nil }
        return "the state could not be read: \(evidence.autopsyError ?? "no reason given")"
    }

    /// What became of the phase, call or line to be followed by the kill; nil where nothing tells.
    private var missed: String? {
        let trigger = evidence.planned.trigger
        if let phase = trigger.phase, let entries = evidence.witness?.entries?[phase] {
            return entries == 0
                ? "never entered \(phase.rawValue)"
                : "entered \(phase.rawValue) only \(entries.counted("time")), not as often as"
                    + " planned"
        }
        if case .syscall(let moment) = trigger, let calls = evidence.calls {
            return "made \(calls.counted) counted calls and not number \(moment.ordinal)"
                + (moment.name.map { " of \($0)" } ?? "")
        }
        if case .said(let line) = trigger, let check = evidence.check {
            return check.lines < line
                ? "said \(check.lines) of \(line) lines"
                : "said line \(line) as it ended (does it flush each? PYTHONUNBUFFERED=1, stdbuf -oL)"
        }
        return nil
    }

    /// The kill must land inside the work, or in its phase: then nothing may be lost.
    private var momentReason: String? {
        // Kills at calls before the first byte and after the last one must not lose anything,
        // either.
        if evidence.planned.trigger.kind == .syscall { return doneReason }
        guard let received = figures.received else { return unseenReason }
        if received.isEmpty { return RowReason.nothingReceived }
        if evidence.isInItsPhase { return nil }
        if let doneReason { return doneReason }
        // It had still to join, check or rename what it had received.
        if received == figures.video,
            evidence.planned.endingShare != nil || evidence.lacksItsFile == true
        {
            return nil
        }
        if figures.recovered == figures.video {
            return RowReason.workDone + "the whole video is recovered"
        }
        if received == figures.video, figures.acknowledged == figures.video {
            return RowReason.workDone + "the whole video was acknowledged"
        }
        if received == figures.video, figures.recovered == nil {
            return "the work may have been done already: the whole video had been received, and it"
                + " is not known what was kept"
        }
        return nil
    }

    /// A complete file before the kill and an error at the next start say nothing of the kill.
    private var doneReason: String? {
        evidence.repeatsDoneWork
            ? RowReason.workDone + "its file was complete, and the next start ended with an error"
            : nil
    }

    /// Where the received bytes are unknown: unserved bytes cannot have been received, and a
    /// completely kept video may have been finished; a kill after that counts, as an unknown figure
    /// is not zero.
    private var unseenReason: String? {
        let isFirstLife = evidence.kill == 1 && evidence.baseline == nil
        if isFirstLife, evidence.contract.asksOrigin,
            !evidence.requests.contains(where: { $0.servedBytes > 0 })
        {
            return RowReason.nothingServed
        }
        return figures.recovered == figures.video
            ? "the whole video is recovered, and it is not known whether it had been received before"
                + " the kill" : nil
    }
}
