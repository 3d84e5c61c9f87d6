/// Contradictions that no row of the rig can contain: of the definitions of the columns, not of
/// what a broken worker can do; a pass must contain every figure that it relies on.
extension IterationRow {
    private typealias Problems = KeyValuePairs<String, Bool>

    /// The first that is there: later ones rely on those before them.
    package var contradiction: String? {
        if let found = first(identityProblems) ?? first(lossProblems) ?? first(boundProblems) {
            return found
        }
        if isOfReference, boundOK != nil, let found = referenceBoundProblem { return found }
        if let found = first(verdictProblems) ?? first(sweepProblems) ?? first(askedProblems) {
            return found
        }
        if verdict == .pass, let found = first(passProblems) { return found }
        return first(retrievalProblems)
    }

    private func first(_ problems: Problems) -> String? { problems.first { $0.value }?.key }

    private var identityProblems: Problems {
        let named = Policy(policy)
        return [
            "iterations and kills are counted from 1": iteration < 1 || kill < 1,
            "'\(policy.prefix(60))' is no policy": named?.name != policy,
            "threshold_bytes is not the threshold of \(policy)":
                named?.threshold?.bytes != thresholdBytes,
        ]
    }

    private var lossProblems: Problems {
        let (lost, received, recovered) = (lostBytes ?? 0, receivedBytes ?? 0, recoveredBytes ?? 0)
        let areKnown = receivedBytes != nil && recoveredBytes != nil
        let hasShare = lostBytes != nil && received > 0
        let share = 100 * Double(lost) / Double(max(1, received))
        // The file has three decimals.
        let isOff = abs((lossPercent ?? share) - share) > Tolerances.lossPercentRounding
        return [
            "lost_bytes is empty beside received_bytes and recovered_bytes":
                lostBytes == nil && areKnown,
            "lost_bytes without received_bytes and recovered_bytes": lostBytes != nil && !areKnown,
            "lost_bytes \(lost) is more than received_bytes \(received)":
                lostBytes != nil && lost > received,
            // Loss is counted over positions: a received position is either recovered or lost.
            "lost_bytes \(lost) is less than received_bytes \(received) minus recovered_bytes "
                + "\(recovered)": lostBytes != nil && lost < received - recovered,
            "loss_percent without bytes to take it from": lossPercent != nil && !hasShare,
            "loss_percent is empty beside lost_bytes and received_bytes":
                lossPercent == nil && hasShare,
            "loss_percent is not 100 × lost_bytes ÷ received_bytes": hasShare && isOff,
        ]
    }

    private var boundProblems: Problems {
        let (bound, lost, isOK) = (boundBytes ?? 0, lostBytes ?? 0, boundOK ?? true)
        // Of two players, one can have lost more than its own bound and both no more than theirs.
        let mayExceedOne = !isOK && Policy(policy)?.players != nil
        return [
            "bound_ok without bound_bytes": boundOK != nil && boundBytes == nil,
            "bound_ok without lost_bytes": boundOK != nil && lostBytes == nil,
            "bound_ok is empty beside lost_bytes and bound_bytes":
                boundOK == nil && boundBytes != nil && lostBytes != nil,
            "bound_ok is \(isOK) with \(lost) bytes lost and a bound of \(bound)":
                boundOK != nil && isOK != (lost <= bound) && !mayExceedOne,
        ]
    }

    /// The reference worker's bound is one threshold, plus at most one more for each further active
    /// request (B1); another worker's bound is what its profile states.
    private var referenceBoundProblem: String? {
        guard let requests = activeRequests else { return "bound_bytes without active_requests" }
        guard let promised = Policy(policy)?.mayLose(activeRequests: requests) else {
            return "bound_bytes for \(policy), which promises no bound"
        }
        // A worker that was asked to end and did so has saved everything (T12).
        if endSeconds != nil {
            return boundBytes == 0
                ? nil : "bound_bytes of a worker that ended when it was asked to"
        }
        return promised.contains(boundBytes ?? 0)
            ? nil : "bound_bytes is not from threshold_bytes to threshold_bytes × active_requests"
    }

    private var verdictProblems: Problems {
        let word = verdict.rawValue
        let isExplained =
            whyNotJudged != nil || isStale || errors != nil || failedCall != nil || hasNoPromise
            || idleFault != nil
        let both = Checker.allCases.first(where: checkers.intersection(notJudged).contains)
        let states = crashStates ?? 0
        let mayBeCut = fault == Fault.powerCutTorn.rawValue || fault == Fault.callError.rawValue
        return [
            "a pass with a reason": verdict == .pass && !reason.isEmpty && !isExplained,
            "\(word) without a reason": verdict != .pass && reason.isEmpty,
            "fail without a checker that found something": verdict == .fail && checkers.isEmpty,
            "\(word) with checkers that found something": verdict != .fail && !checkers.isEmpty,
            "inconclusive, of which nothing is judged, with not_judged":
                verdict == .inconclusive && !notJudged.isEmpty,
            "\(both?.rawValue ?? "") found something and was not judged": both != nil,
            "a row for which no launch was begun": attempts < 1,
            "\(states) crash_states of the fault \(fault)":
                crashStates != nil && (states < 1 || !mayBeCut),
        ]
    }

    private var sweepProblems: Problems {
        let known = [sweepCases, sweepTried, crashStates].count(where: { $0 != nil })
        let (tried, cases) = (sweepTried ?? 0, sweepCases ?? 0)
        return [
            "sweep_cases, sweep_tried and crash_states are not all there":
                known < 3 && (sweepCases != nil || sweepTried != nil),
            "sweep_tried \(tried) of \(cases) sweep_cases": tried > cases,
        ]
    }

    private var askedProblems: Problems {
        [
            "grace_seconds of the fault \(fault)":
                graceSeconds != nil && fault != Fault.term.rawValue,
            "end_seconds without grace_seconds": endSeconds != nil && graceSeconds == nil,
        ]
    }

    private var hasBytes: Bool { Workload(rawValue: workload)?.hasBytes ?? true }
    private var isPowerCut: Bool { Fault(rawValue: fault)?.isPowerCut ?? false }

    /// `disabled` promises nothing; nor do commits under a power cut that they need not survive, and
    /// a call that fails, or a full disk, may cost what was to be saved.
    private var mayLackBound: Bool {
        thresholdBytes == nil || isPowerCut || Fault(rawValue: fault)?.letsItGoOn ?? false
    }

    /// The reference worker's passes contain every figure, another's those of its level, or say so.
    private var neededInPass: [(name: String, isKnown: Bool)] {
        // Without the state after the kill there is no figure of it.
        if notJudged.contains(.completion) || !hasBytes { return [] }
        // The origin sees no requests of a worker with a source of its own.
        let isElsewhere = servedBytes == nil && notJudged.contains(.ledger) && !isOfReference
        let always = [
            ("corrupt_bytes", corruptBytes != nil),
            ("refetched_bytes", isElsewhere || refetchedBytes != nil),
        ]
        let loss = [
            ("received_bytes", receivedBytes != nil), ("recovered_bytes", recoveredBytes != nil),
            ("lost_bytes", lostBytes != nil),
        ]
        // Without a promised loss bound, only the reason says that the loss is unknown.
        let isLossTold = notJudged.contains(.bound) || whyNotJudged != nil
        guard isOfReference else { return always + (isLossTold ? [] : loss) }
        return always + loss + [
            ("acknowledged_bytes", acknowledgedBytes != nil), ("integrity", integrity != nil),
            ("bound_bytes", mayLackBound || boundBytes != nil),
            ("bound_ok", mayLackBound || boundOK != nil),
        ]
    }

    private var passProblems: Problems {
        let missing = neededInPass.first { !$0.isKnown }?.name
        let (acknowledged, recovered) = (acknowledgedBytes ?? 0, recoveredBytes ?? .max)
        let corrupt = corruptBytes ?? 0
        return [
            "a pass without \(missing ?? "")": missing != nil,
            // Calls also occur before the first byte: a kill there tests what is on disk then.
            "a pass before anything was received":
                receivedBytes == 0 && trigger != TriggerKind.syscall.rawValue,
            "a pass with more lost than the bound": boundOK == false,
            "a pass without integrity": integrity == false,
            "a pass with corrupt bytes": corrupt > 0,
            "a pass with more acknowledged than recovered":
                acknowledged > recovered && !(isPowerCut && boundBytes == nil),
        ]
    }

    private var retrievalProblems: Problems {
        let (found, recovered) = (retrievedBytes ?? 0, recoveredBytes ?? 0)
        let (chunksFound, chunks) = (chunksRetrieved ?? 0, chunks ?? 0)
        return [
            "more retrieved_bytes than recovered_bytes": found > recovered,
            "more chunks_retrieved than chunks": chunksFound > chunks,
        ]
    }
}
