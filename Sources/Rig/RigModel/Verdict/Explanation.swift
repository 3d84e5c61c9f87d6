package struct Explanation: Sendable {
    package struct Call: Sendable, Hashable {
        package struct Frame: Sendable, Hashable {
            /// The program or library, and the address in it; of a line of source, its file.
            package let address: String
            /// The function, with file and line where they are known; nil without symbols.
            package let symbol: String?

            package init(address: String, symbol: String?) {
                (self.address, self.symbol) = (address, symbol)
            }
        }

        /// The number of the counted call, from 1; nil for a call that is not counted.
        package let number: Int?
        /// What it did, such as `rename(data.tmp → data)`.
        package let words: String
        package let threadID: Int32
        /// What the power cut did to it, such as `not on the disk`.
        package let fate: String
        /// What was synced of its file before and after, in words.
        package let syncs: String
        /// Where the program made it, the innermost place first; empty without symbols.
        package let stack: [Frame]

        package init(
            number: Int?, words: String, threadID: Int32, fate: String, syncs: String,
            stack: [Frame]
        ) {
            (self.number, self.words, self.threadID) = (number, words, threadID)
            (self.fate, self.syncs, self.stack) = (fate, syncs, stack)
        }
    }

    package struct Cure: Sendable, Hashable {
        /// Such as `fdatasync of data.tmp after call 35`.
        package let words: String
        package let syncs: [PlacedSync]
        package let mended: Int

        package init(words: String, syncs: [PlacedSync], mended: Int) {
            (self.words, self.syncs, self.mended) = (words, syncs, mended)
        }
    }

    /// New lives in which the tracer made the syncs of the first cure.
    package struct Trial: Sendable, Hashable {
        package var passed = 0
        package var failed = 0
        package var inconclusive = 0

        package init() {}
    }

    package let kill: StoredKill
    /// The rule that was broken, or without a power cut the call under way or that failed.
    package let rule: String
    /// The operations that had to be lost, and the one that had to be there.
    package let calls: [Call]
    /// The cures that make every failing state pass, the cheapest first.
    package let cures: [Cure]
    /// How many failing states there were to judge again.
    package let states: Int
    /// How many smaller or other cures were tried that do not.
    package let tried: Int
    /// How many states were judged in all, and how many of them told nothing.
    package let probes: (all: Int, undecided: Int)
    /// The first cure, carried out; nil where none was.
    package let trial: Trial?
    package let unsynced: [UnsyncedFileFacts]
    /// The files that the relaunch read first, of those that an unharmed launch leaves otherwise.
    package let readFirst: [String]?
    package let notes: [String]

    /// 99 when a kill failed although the cure was carried out, 98 when none told anything.
    package var status: ExitStatus {
        guard let trial else { return .success }
        return trial.failed > 0 ? .gateFailed : trial.passed > 0 ? .success : .inconclusive
    }

    package init(
        kill: StoredKill, rule: String, calls: [Call] = [], cures: [Cure] = [], states: Int = 0,
        tried: Int = 0, probes: (all: Int, undecided: Int) = (0, 0), trial: Trial? = nil,
        unsynced: [UnsyncedFileFacts] = [], readFirst: [String]? = nil, notes: [String] = []
    ) {
        (self.kill, self.rule, self.calls, self.cures) = (kill, rule, calls, cures)
        (self.states, self.tried, self.probes, self.trial) = (states, tried, probes, trial)
        (self.unsynced, self.readFirst, self.notes) = (unsynced, readFirst, notes)
    }
}
