import RigModel

/// What the end of a life says about the worker: only a proven outside cause excuses it.
enum LifeVerdict: Hashable {
    case asItShould
    case failure(Checker, String)
    /// Something outside the worker ended it, or may have; the text says what.
    case outside(String)

    init(_ end: LifeEnd) {
        let name = end.life.words
        let failed = end.failedCall.map { " after \($0)" }
        let moment =
            end.life != .struck
            ? ""
            : failed ?? (end.wasAsked == true ? " after it was asked to end" : " before its kill")
        let complaint = end.complaint.map { ": \($0)" } ?? ""
        if let excuse = end.excuse {
            self = .outside(excuse)
        } else if let givenUp = end.givenUp {
            self = .failure(.hang, "\(name) \(givenUp)\(failed ?? "")")
        } else if end.isGood {
            self =
                end.isComplete
                ? .asItShould
                : .failure(end.failedCall == nil ? .exit : .falseSuccess, Self.lack(of: end))
        } else if let cause = Self.memoryCause(end) ?? Self.limitCause(end) {
            self = .outside(cause)
        } else {
            self =
                switch end.death {
                case .exited(let code):
                    .failure(.exit, "\(name) ended with exit code \(code)\(moment)\(complaint)")
                case .signaled(let signal):
                    .failure(
                        .crash,
                        "signal \(signal), which was not the rig's, ended \(name)\(moment)\(complaint)"
                    )
                }
        }
    }

    private static func limitCause(_ end: LifeEnd) -> String? {
        guard let limit = end.limit else { return nil }
        let what =
            switch end.death {
            case .exited(let code):
                "exit code \(code), by which a shell tells of signal \(code - 128)"
            case .signaled(let signal): "signal \(signal)"
            }
        return "\(what) ended \(end.life.words): \(limit)"
    }

    private static func lack(of end: LifeEnd) -> String {
        let surplus = end.work?.surplus ?? 0
        let lack: String
        if let cut = end.work?.cut {
            lack = "its file \(cut.words)"
        } else if let differing = end.work?.differingBytes {
            let bytes = differing.counted("byte")
            lack =
                surplus > 0 && surplus == differing
                ? "its file is \(bytes) too long"
                : "\(bytes) of its file are unlike the video's\(Wording.past(surplus))"
        } else {
            lack = "there was no completed file"
        }
        let failed = end.failedCall.map { "\($0), and " } ?? ""
        return "\(failed)\(end.life.words) ended with exit code 0, and \(lack)"
    }

    /// The out-of-memory kill that may have ended it, or a child: a shell exits with 128 + 9.
    private static func memoryCause(_ end: LifeEnd) -> String? {
        let signal =
            switch end.death {
            case .signaled(9): "signal 9 that was not ours"
            case .exited(137): "exit code 137, by which a shell tells of signal 9"
            default: ""
            }
        guard !signal.isEmpty else { return nil }
        let place = end.life == .struck ? "" : ", in \(end.life.words)"
        guard let kills = end.memoryKills else {
            return end.death == .signaled(9)
                ? "\(signal)\(place): out of memory? The kernel does not say" : nil
        }
        guard kills > 0 else { return nil }
        return "\(signal)\(place): the kernel killed \(kills) process\(kills == 1 ? "" : "es") for"
            + " want of memory meanwhile"
    }
}

extension IterationEvidence {
    /// True when the rig's kill ended the worker, or may have.
    var isStruck: Bool {
        switch fault.proof {
        case .moment: killSent || killSeconds != nil
        case .sent: killSent
        case .answer: killSent && diedOfItsFault
        case .nothing: false
        case .signal: killSent && (fault.signal != 9 || death == .signaled(9))
        }
    }

    /// The lives that no kill ended, with what was observed of each.
    var unkilledLives: [LifeEnd] {
        let killed = LifeEnd(.struck, death, expectedDeath: expectedUnkilledDeath, givenUp: givenUp)
        let relaunched = resumption.map {
            LifeEnd(.relaunched, $0.death, expectedDeath: $0.expectedDeath)
        }
        // False if the next kill of a chain ended the relaunch.
        let isUninterrupted = resumption?.wasKilled != true
        return LifeEnd.Life.allCases.compactMap { life in
            let seen = lives.first { $0.life == life }
            return switch life {
            case .measured, .earlier, .offline, .beside, .again: seen
            case .struck: isStruck ? nil : seen ?? killed
            case .relaunched: isUninterrupted && !repeatsDoneWork ? seen ?? relaunched : nil
            }
        }
    }

    /// How the worker ends if nothing harms it.
    var expectedUnkilledDeath: Death { workload.hasPlayer ? .exited(143) : .exited(0) }

    func excuse(of life: LifeEnd.Life) -> String? {
        unkilledLives.filter { $0.life == life }.compactMap { end in
            if case .outside(let cause) = LifeVerdict(end) { cause } else { nil }
        }.first
    }
}
