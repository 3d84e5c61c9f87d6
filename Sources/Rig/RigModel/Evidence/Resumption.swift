package struct Resumption: Sendable, Hashable, Codable {
    package let death: Death
    /// How a worker ends after its work: with exit code 0, or the code for a requested end.
    package let expectedDeath: Death
    package let requests: [ServedRequest]
    /// From relaunch until the worker knew what it had stored; nil if unknown.
    package let recoverySeconds: Double?
    /// From relaunch to the first new byte; nil if unknown.
    package let resumeSeconds: Double?
    /// Bytes of the completed file that are wrong, missing or surplus; nil without a file.
    package let differingBytes: Int64?
    /// How early the completed file ends, if nothing else is wrong with it; nil if it is otherwise.
    package let cut: CutFile?
    package let firstDifference: Difference?
    /// Why there is no completed file: the last lines of the worker's log.
    package let complaint: String?
    /// True when the relaunched worker was itself killed before it could finish (B6).
    package let wasKilled: Bool
    /// The positions taken off its sockets, fewer than requested by some; nil if unknown.
    package let taken: ByteRanges?
    /// What the launches after a killed relaunch took until one was done, rightly; nil if unknown.
    package var takenLater: ByteRanges?
    /// Positions where the completed file is not the video's; nil if that was not examined.
    package let wrong: ByteRanges?
    /// Where, also past its end, the completed file differs from the video and equals the version
    /// served before the kill; nil if the origin has not changed.
    package let stale: ByteRanges?
    /// True for exactly the version before the change; nil if the origin has not changed.
    package let isVersionBefore: Bool?
    /// What the state does not hold when the work is done; nil if not examined.
    package let notKept: ByteRanges?
    /// Why the state could not be read then; nil if it could, or was not examined.
    package let unread: String?
    /// The launches before this one that ended with an error by the origin's fault; nil for none.
    package var errors: EarlierErrors?
    /// Why the origin's fault had no effect; nil if it had, or there was none.
    package var idleFault: IdleFault?
    package var fileLength: Int64?
    /// How many of these bytes are past the video's end; nil likewise.
    package var surplus: Int64?

    package init(
        death: Death, expectedDeath: Death = .exited(0), requests: [ServedRequest] = [],
        recoverySeconds: Double? = nil, resumeSeconds: Double? = nil, differingBytes: Int64? = nil,
        firstDifference: Difference? = nil, complaint: String? = nil, wasKilled: Bool = false,
        taken: ByteRanges? = nil, wrong: ByteRanges? = nil, stale: ByteRanges? = nil,
        isVersionBefore: Bool? = nil, notKept: ByteRanges? = nil, unread: String? = nil,
        cut: CutFile? = nil
    ) {
        (self.death, self.expectedDeath, self.requests) = (death, expectedDeath, requests)
        (self.recoverySeconds, self.resumeSeconds) = (recoverySeconds, resumeSeconds)
        (self.differingBytes, self.firstDifference) = (differingBytes, firstDifference)
        (self.complaint, self.wasKilled, self.taken) = (complaint, wasKilled, taken)
        (self.wrong, self.stale, self.isVersionBefore) = (wrong, stale, isVersionBefore)
        (self.notKept, self.unread, self.cut) = (notKept, unread, cut)
    }

    /// Launches that ended with an error, after each of which the worker was started again.
    package struct EarlierErrors: Sendable, Hashable, Codable {
        package let count: Int
        package let complaint: String

        package init(count: Int, complaint: String) {
            (self.count, self.complaint) = (count, complaint)
        }
    }

    package var endedWell: Bool { death == expectedDeath && !wasKilled }

    /// True for bytes that are right, of a version that the origin no longer serves.
    package var isStale: Bool { endedWell && isVersionBefore == true }
    package var refetched: ByteRanges { ByteRanges(requests.map(\.requested)) }
}
