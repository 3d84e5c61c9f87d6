import RigModel

/// What a pass of any program says nothing about, and how to test it.
extension VerdictBody {
    var untestedByCheck: [VerdictLine?] {
        guard let check, !run.sparesWorkers else { return [] }
        // A program may be too quick for every kill by the clock.
        guard !conclusive.isEmpty else { return [untestedCalls] }
        var lines = [silent, unheard]
        // A program that does its work again makes good what it had lost.
        if check.relaunches, !check.isRunBefore {
            lines.append(
                VerdictLine(
                    "not checked", "what was there before the relaunch", option: "--check-before"))
        }
        return lines + [untestedCalls, untestedCuts]
    }

    /// Kills at calls: one by the clock seldom comes between two that belong together.
    private var untestedCalls: VerdictLine? {
        let fault = run.manifest.fault
        guard run.manifest.plan.trigger != .syscall, !fault.letsItGoOn, fault.signal == 9 else {
            return nil
        }
        return VerdictLine("not tested", "\(unit)s at calls", option: "--trigger syscall")
    }

    /// Kills at which nothing had been promised.
    private var silent: VerdictLine? {
        let silent = conclusive.count(where: \.hasNoPromise)
        guard silent > 0 else { return nil }
        guard silent == conclusive.count else {
            return VerdictLine(
                "before a line", "\(silent) of \(count(conclusive.count))",
                "nothing had been promised yet")
        }
        let advice = VerdictLine.unbroken(" (does it flush each? PYTHONUNBUFFERED=1, stdbuf -oL)")
        return VerdictLine("not judged", "promises: it had said no line at any kill\(advice)")
    }

    /// Lines that the program says, and of which the check is not told.
    private var unheard: VerdictLine? {
        guard let check, !check.looksAtLines,
            conclusive.contains(where: { $0.trigger == TriggerKind.said.rawValue })
        else { return nil }
        return VerdictLine(
            "not judged", "whether what it had said is kept", option: "{said} in --check")
    }

    /// The power cuts that the run does not make; the modelled one needs no grant.
    private var untestedCuts: VerdictLine? {
        let (fault, isChain) = (run.manifest.fault, run.manifest.plan.kills > 1)
        guard !fault.letsItGoOn, fault != .powerCutTorn, fault != .powerCut || !isChain else {
            return nil
        }
        return VerdictLine(
            "not tested", fault == .powerCut ? "modelled power cuts" : "power cuts",
            option: "--fault \(isChain ? "power-cut" : "power-cut-torn")")
    }
}
