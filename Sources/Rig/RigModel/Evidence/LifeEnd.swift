/// How one life of an iteration's worker ended when it was not ended by a kill.
package struct LifeEnd: Sendable, Hashable, Codable {
    package enum Life: String, Sendable, Hashable, Codable, CaseIterable {
        case measured, earlier, struck, offline, relaunched, beside, again

        package var words: String {
            switch self {
            case .measured: "the worker in a launch without a kill"
            case .earlier: "the worker in a launch before the kill"
            case .struck: "the worker"
            case .offline: "the worker relaunched without the network"
            case .relaunched: "the relaunched worker"
            case .beside: "the other instance of the relaunched worker"
            case .again: "the worker launched again after its work was done"
            }
        }
    }

    /// What a worker reported as completed, compared with what the origin served.
    package struct Work: Sendable, Hashable, Codable {
        /// Bytes unlike the video's, with missing and surplus ones; nil without a file.
        package let differingBytes: Int64?
        /// How early the file ends, if nothing else is wrong with it; nil if it is otherwise.
        package let cut: CutFile?
        /// How many bytes the file has past the video's end; nil if not examined.
        package var surplus: Int64?

        package init(differingBytes: Int64?, cut: CutFile? = nil) {
            (self.differingBytes, self.cut) = (differingBytes, cut)
        }
    }

    package let life: Life
    package let death: Death
    /// How it should have ended; nil after a request to end, for which any exit code is accepted.
    package let expectedDeath: Death?
    package var givenUp: String?
    /// Processes that the out-of-memory killer ended on the whole machine; nil if unknown.
    package var memoryKills: Int?
    /// The limit that explains the death, one of those that the rig was started with; nil for none.
    package var limit: String?
    /// What a program that no kill ended said last on its standard error; nil where it is not kept.
    package var complaint: String?
    /// An action of the rig that may have caused the end; nil for none.
    package var excuse: String?
    /// True when the rig's kill had asked it to end; nil when not.
    package var wasAsked: Bool?
    /// The call that was made to fail in it, in words; nil for none.
    package var failedCall: String?
    package var work: Work?
    /// Positions that it had acknowledged and its state does not hold; nil if not examined.
    package var forgotten: ByteRanges?

    package var isGood: Bool {
        guard excuse == nil, givenUp == nil else { return false }
        if let expectedDeath { return death == expectedDeath }
        return if case .exited = death { true } else { death == .signaled(15) }
    }

    package var isComplete: Bool { work.map { $0.differingBytes == 0 } ?? true }
    package var remembersAll: Bool { forgotten?.isEmpty ?? true }

    package init(
        _ life: Life, _ death: Death, expectedDeath: Death?, givenUp: String? = nil,
        memoryKills: Int? = nil, limit: String? = nil, excuse: String? = nil, work: Work? = nil
    ) {
        (self.life, self.death, self.expectedDeath) = (life, death, expectedDeath)
        (self.givenUp, self.memoryKills, self.limit) = (givenUp, memoryKills, limit)
        (self.excuse, self.work) = (excuse, work)
    }
}
