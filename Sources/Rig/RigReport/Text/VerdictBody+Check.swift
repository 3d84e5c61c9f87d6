import RigModel

/// What a pass of any program says nothing about, and how to test it.
extension VerdictBody {
    /// The lines about it; none for a program that downloads.
    var untestedByCheck: [VerdictLine?] {
        guard let check, !run.sparesWorkers, !conclusive.isEmpty else { return [] }
        return [
            silent,
            // A program that does its work again makes good what it had lost.
            check.relaunches && !check.isRunBefore
                ? Self.line("not checked", "what was there before the relaunch", "--check-before")
                : nil,
            untestedCalls, untestedCuts,
        ]
    }

    /// Kills at which nothing had been promised.
    private var silent: VerdictLine? {
        let count = conclusive.count(where: \.hasNoPromise)
        guard count > 0 else { return nil }
        guard count == conclusive.count else {
            return VerdictLine(
                "before a line", "\(count) of \(self.count(conclusive.count))",
                "nothing had been promised yet")
        }
        return VerdictLine(
            "not judged",
            "promises: it had said no line at any kill"
                + VerdictLine.unbroken(
                    " (does it flush each? PYTHONUNBUFFERED=1, stdbuf -oL)"))
    }

    /// A kill by the clock seldom comes between two calls that belong together.
    private var untestedCalls: VerdictLine? {
        let fault = run.manifest.fault
        guard run.manifest.plan.trigger != .syscall, fault != .callError, fault.signal == 9 else {
            return nil
        }
        return Self.line("not tested", "\(unit)s at calls", "--trigger syscall")
    }

    /// The power cuts that the run does not make; the modelled one needs no grant.
    private var untestedCuts: VerdictLine? {
        let isChain = run.manifest.plan.kills > 1
        switch run.manifest.fault {
        case .callError, .powerCutTorn: return nil
        case .powerCut:
            return isChain
                ? nil : Self.line("not tested", "modelled power cuts", "--fault power-cut-torn")
        default:
            return Self.line(
                "not tested", "power cuts", "--fault \(isChain ? "power-cut" : "power-cut-torn")")
        }
    }

    private static func line(_ label: String, _ what: String, _ option: String) -> VerdictLine {
        VerdictLine(label, what + VerdictLine.unbroken(" → \(option)"))
    }
}
