/// How one life of an iteration's worker ended, where it was not a kill that ended it.
package struct LifeEnd: Sendable, Hashable, Codable {
    /// Which of the iteration's lives.
    package enum Life: String, Sendable, Hashable, Codable, CaseIterable {
        /// An unharmed one, measured before the kill.
        case measured
        /// One before the life of the kill, which brought a part of the work.
        case earlier
        /// The one that the kill was to end, or that was spared.
        case struck
        /// A relaunch with the origin stopped.
        case offline
        /// The relaunch that was to complete the work.
        case relaunched

        /// `the relaunched worker`.
        package var words: String {
            switch self {
            case .measured: "the worker in an unharmed life before the kill"
            case .earlier: "the worker in a life before that of the kill"
            case .struck: "the worker"
            case .offline: "the worker relaunched without the network"
            case .relaunched: "the relaunched worker"
            }
        }
    }

    /// What a worker calls completed, compared with what the origin served.
    package struct Work: Sendable, Hashable, Codable {
        /// Bytes unlike the video's, missing and surplus ones included; nil when there is no file.
        package let differingBytes: Int64?

        /// What became of the work.
        package init(differingBytes: Int64?) {
            self.differingBytes = differingBytes
        }
    }

    /// Which life.
    package let life: Life
    /// How its process ended.
    package let death: Death
    /// How it was to end; nil for one that was asked to end by signal 15 and may answer as it likes.
    package let goodDeath: Death?
    /// Why the rig ended it; nil where it did not.
    package var givenUp: String?
    /// Processes that the kernel killed for want of memory meanwhile, on the whole machine; nil when
    /// not known.
    package var memoryKills: Int?
    /// What the rig itself did that may have brought the end about; nil for nothing.
    package var excuse: String?
    /// What it completed, where it ended with exit code 0 by itself; nil where that was not
    /// looked at.
    package var work: Work?

    /// True where it ended as it was to.
    package var isGood: Bool {
        guard excuse == nil, givenUp == nil else { return false }
        if let goodDeath { return death == goodDeath }
        return switch death {
        case .exited: true
        case .signaled(let signal): signal == 15
        }
    }

    /// True where nothing is missing of what it called done, as far as was looked.
    package var isComplete: Bool { work.map { $0.differingBytes == 0 } ?? true }

    /// The end of a life.
    package init(
        _ life: Life, _ death: Death, goodDeath: Death?, givenUp: String? = nil,
        memoryKills: Int? = nil, excuse: String? = nil, work: Work? = nil
    ) {
        self.life = life
        self.death = death
        self.goodDeath = goodDeath
        self.givenUp = givenUp
        self.memoryKills = memoryKills
        self.excuse = excuse
        self.work = work
    }
}
