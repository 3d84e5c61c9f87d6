/// A request to end by signal 15, and what became of it (T12).
package struct AskedEnd: Sendable, Hashable, Codable {
    package let graceSeconds: Double
    package let seconds: Double
    /// True when the rig sent it signal 9, because the grace was over.
    package let wasKilled: Bool
    /// True when only others that its first process had started were left by then; nil for false.
    package let othersWereKilled: Bool?

    package init(
        graceSeconds: Double, seconds: Double, wasKilled: Bool, othersWereKilled: Bool? = nil
    ) {
        (self.graceSeconds, self.seconds, self.wasKilled) = (graceSeconds, seconds, wasKilled)
        self.othersWereKilled = othersWereKilled
    }
}

extension IterationEvidence {
    /// True for a worker that ended by itself when it was asked to, with all it had started.
    package var endedWhenAsked: Bool {
        guard let asked, asked.othersWereKilled != true else { return false }
        return !(asked.wasKilled && death == .signaled(9))
    }

    /// True for a death by the fault's signal or, after a request to end, for any end but a crash.
    package var diedOfItsFault: Bool {
        guard let asked else { return death == .signaled(fault.signal) }
        return death.isAnswerToARequest || asked.wasKilled && death == .signaled(9)
    }
}

extension Death {
    /// True for an answer to a failing call, which may also be an abort.
    package var isAnswerToAnError: Bool {
        isExitWithoutACrash || self == .signaled(6) || self == .exited(128 + 6)
    }

    /// True for signal 7, SIGBUS, or a shell's report of it: so the kernel ends a process that writes
    /// to mapped memory of a full disk.
    package var isAnswerToAFullDisk: Bool { self == .signaled(7) || self == .exited(128 + 7) }

    package var isAnswerToARequest: Bool { isExitWithoutACrash || self == .signaled(15) }

    private var isExitWithoutACrash: Bool {
        if case .exited = self { !tellsOfACrash } else { false }
    }

    /// True for an exit that tells of a crash; a shell reports requests to end with 130 and 143.
    package var tellsOfACrash: Bool {
        isReportOfAShell && self != .exited(130) && self != .exited(143)
    }

    /// True for 126 and 127, by which a shell reports a program that it could not start, and for
    /// 128, itself a code of programs such as gallery-dl, and the number of a signal.
    package var isReportOfAShell: Bool {
        guard case .exited(let code) = self else { return false }
        return [126, 127].contains(code) || (129...192).contains(code)
    }
}
