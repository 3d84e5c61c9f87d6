extension IterationRow {
    /// A contradiction that no row of the rig can contain: of the definitions of the columns, not
    /// of what a broken worker can do; a pass must contain every figure that it relies on.
    package var contradiction: String? {
        policyProblem ?? lossProblem ?? percentProblem ?? boundProblem ?? verdictProblem
            ?? checkersProblem ?? askedProblem ?? passProblem ?? retrievalProblem
    }

    private var retrievalProblem: String? {
        if let found = retrievedBytes, found > recoveredBytes ?? 0 {
            return "more retrieved_bytes than recovered_bytes"
        }
        if let found = chunksRetrieved, found > chunks ?? 0 {
            return "more chunks_retrieved than chunks"
        }
        return nil
    }

    private var policyProblem: String? {
        guard iteration > 0, kill > 0 else { return "iterations and kills are counted from 1" }
        guard let named = Policy(policy), named.name == policy else {
            return "'\(policy.prefix(60))' is no policy"
        }
        guard named.threshold?.bytes == thresholdBytes else {
            return "threshold_bytes is not the threshold of \(policy)"
        }
        return nil
    }

    private var lossProblem: String? {
        guard let lost = lostBytes else {
            guard receivedBytes != nil, recoveredBytes != nil else { return nil }
            return "lost_bytes is empty beside received_bytes and recovered_bytes"
        }
        guard let received = receivedBytes, let recovered = recoveredBytes else {
            return "lost_bytes without received_bytes and recovered_bytes"
        }
        guard lost <= received else {
            return "lost_bytes \(lost) is more than received_bytes \(received)"
        }
        // Loss is counted over positions: a received position is either recovered or lost.
        guard lost >= received - recovered else {
            return "lost_bytes \(lost) is less than received_bytes \(received) minus"
                + " recovered_bytes \(recovered)"
        }
        return nil
    }

    private var percentProblem: String? {
        guard let lost = lostBytes, let received = receivedBytes, received > 0 else {
            return lossPercent == nil ? nil : "loss_percent without bytes to take it from"
        }
        guard let percent = lossPercent else {
            return "loss_percent is empty beside lost_bytes and received_bytes"
        }
        let exact = 100 * Double(lost) / Double(received)
        // The file has three decimals.
        guard abs(percent - exact) > Tolerances.lossPercentRounding else { return nil }
        return "loss_percent is not 100 × lost_bytes ÷ received_bytes"
    }

    private var boundProblem: String? {
        guard let bound = boundBytes else {
            return boundOK == nil ? nil : "bound_ok without bound_bytes"
        }
        guard let lost = lostBytes else {
            return boundOK == nil ? nil : "bound_ok without lost_bytes"
        }
        guard let isOK = boundOK else {
            return "bound_ok is empty beside lost_bytes and bound_bytes"
        }
        // Of two players, one can have lost more than its own bound and both no more than theirs.
        let mayExceedOne = !isOK && Policy(policy)?.players != nil
        guard isOK == (lost <= bound) || mayExceedOne else {
            return "bound_ok is \(isOK) with \(lost) bytes lost and a bound of \(bound)"
        }
        return isOfReference ? referenceBoundProblem(bound) : nil
    }

    /// The reference worker's bound is one threshold, plus at most one more for each further active
    /// request (B1); another worker's bound is what its profile states.
    private func referenceBoundProblem(_ bound: Int64) -> String? {
        guard let requests = activeRequests else { return "bound_bytes without active_requests" }
        guard let promised = Policy(policy)?.mayLose(activeRequests: requests) else {
            return "bound_bytes for \(policy), which promises no bound"
        }
        // A worker that was asked to end and did so has saved everything (T12).
        if endSeconds != nil {
            return bound == 0 ? nil : "bound_bytes of a worker that ended when it was asked to"
        }
        guard promised.contains(bound) else {
            return "bound_bytes is not from threshold_bytes to threshold_bytes × active_requests"
        }
        return nil
    }

    private var verdictProblem: String? {
        switch verdict {
        case .pass:
            reason.isEmpty || whyNotJudged != nil || isStale || errors != nil || failedCall != nil
                || hasNoPromise || idleFault != nil
                ? nil : "a pass with a reason"
        case .fail, .inconclusive: reason.isEmpty ? "\(verdict.rawValue) without a reason" : nil
        }
    }

    private var checkersProblem: String? {
        guard checkers.isEmpty == (verdict != .fail) else {
            return verdict == .fail
                ? "fail without a checker that found something"
                : "\(verdict.rawValue) with checkers that found something"
        }
        if verdict == .inconclusive, !notJudged.isEmpty {
            return "inconclusive, of which nothing is judged, with not_judged"
        }
        if let both = Checker.allCases.first(where: checkers.intersection(notJudged).contains) {
            return "\(both.rawValue) found something and was not judged"
        }
        guard attempts > 0 else { return "a row for which no launch was begun" }
        let mayBeCut = [Fault.powerCutTorn, .callError].map(\.rawValue).contains(fault)
        if let crashStates, crashStates < 1 || !mayBeCut {
            return "\(crashStates) crash_states of the fault \(fault)"
        }
        return sweepProblem
    }

    private var sweepProblem: String? {
        guard sweepCases != nil || sweepTried != nil else { return nil }
        guard let sweepCases, let sweepTried, crashStates != nil else {
            return "sweep_cases, sweep_tried and crash_states are not all there"
        }
        guard sweepTried <= sweepCases else {
            return "sweep_tried \(sweepTried) of \(sweepCases) sweep_cases"
        }
        return nil
    }

    private var askedProblem: String? {
        if graceSeconds != nil, fault != Fault.term.rawValue {
            return "grace_seconds of the fault \(fault)"
        }
        return endSeconds != nil && graceSeconds == nil ? "end_seconds without grace_seconds" : nil
    }

    private var hasBytes: Bool { Workload(rawValue: workload)?.hasBytes ?? true }

    private var isPowerCut: Bool { Fault(rawValue: fault)?.isPowerCut ?? false }

    /// `disabled` promises nothing; nor do commits under a power cut that they need not survive, and
    /// a call that fails, or a full disk, may cost what was to be saved.
    private var mayLackBound: Bool {
        thresholdBytes == nil || isPowerCut || Fault(rawValue: fault)?.letsItGoOn ?? false
    }

    /// Without a promised loss bound, only the reason says that the loss is unknown.
    private var saysThatLossIsNotKnown: Bool { notJudged.contains(.bound) || whyNotJudged != nil }

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
        guard isOfReference else { return always + (saysThatLossIsNotKnown ? [] : loss) }
        return always + loss + [
            ("acknowledged_bytes", acknowledgedBytes != nil), ("integrity", integrity != nil),
            ("bound_bytes", mayLackBound || boundBytes != nil),
            ("bound_ok", mayLackBound || boundOK != nil),
        ]
    }

    private var passProblem: String? {
        guard verdict == .pass else { return nil }
        if let missing = neededInPass.first(where: { !$0.isKnown }) {
            return "a pass without \(missing.name)"
        }
        // Calls also occur before the first byte: a kill there tests what is on disk then.
        if receivedBytes == 0, trigger != TriggerKind.syscall.rawValue {
            return "a pass before anything was received"
        }
        if boundOK == false { return "a pass with more lost than the bound" }
        if integrity == false { return "a pass without integrity" }
        if corruptBytes.map({ $0 > 0 }) ?? false { return "a pass with corrupt bytes" }
        if let acknowledged = acknowledgedBytes, let recovered = recoveredBytes,
            acknowledged > recovered, !(isPowerCut && boundBytes == nil)
        {
            return "a pass with more acknowledged than recovered"
        }
        return nil
    }
}
