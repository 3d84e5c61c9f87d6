/// Every constant by which the rig accepts a deviation, with what it accepts and why: all here,
/// since only a bug shows that one grew; `docs/tolerances.md` has each with the test that notices.
package enum Tolerances {
    /// Bytes that a request may fetch although another request fetched them (C7): a download that
    /// another one takes over ends with the network read under way.
    package static let duplicateBytesPerRequest: Int64 = 64 << 10
    /// The number of bytes by which a commit may be smaller than the threshold (B8): less than one
    /// network read, and the documents saw 476 KB of 512.
    package static let commitShortfallBytes: Int64 = 36 << 10
    /// The same in 1/512 of the threshold, if that is more: above 512 KB nothing is documented.
    package static let commitShortfallParts: Int64 = 36
    /// Commits per active request that may be counted and not yet acknowledged, or vice versa (B8):
    /// a kill can come between the two memory writes.
    package static let commitsPerActiveRequest = 1
    /// What an eviction may leave free, in thresholds per active request (C6): room is made for one
    /// save, the last chunk frees up to a threshold more, and the kill may come before the save.
    package static let freeThresholdsPerRequest: Int64 = 2
    /// The fraction of the capacity, delivered to the player last, that must not be evicted (C6):
    /// what a cache keeps for its readers is protected, so newer bytes may have to go first.
    package static let recentPartOfCapacity: Int64 = 8
    /// Bytes of an ended request that need not be saved: 0-1 ask for information (C3).
    package static let probeBytes: Int64 = 2
    /// Bytes per request of the relaunched worker that may be fetched again although recovered
    /// (C8): where answers name no version, only they show it; elsewhere only at the video's
    /// beginning, by a worker that was not made for the rig.
    package static let comparedBytesPerRequest: Int64 = 64 << 10
    /// Shorter stretches of right bytes between wrong ones count as wrong, and beside wrong ones they
    /// need not have been received: one zero is right by chance, sixteen in a row are not.
    package static let fewestRightBytes: Int64 = 16
    /// How much a machine's speed may differ between two runs, as a fraction: medians of equal runs
    /// on a quiet machine differ by as much.
    package static let usualDrift = 0.1
    /// How far a stored `loss_percent` may be off, in percent: three decimals are written.
    package static let lossPercentRounding = 0.001
    /// The smallest ratio to the throughput without saving that counts as unchanged (B9): a
    /// benchmark shows as much on a machine that does other things.
    package static let leastThroughputRatio = 0.9
    /// How much more memory a video ten times as long may need, in bytes (B10): a process varies by
    /// a few MB, and a video that was held would add ninety.
    package static let memoryGrowthBytes: Int64 = 8 << 20

    /// Bytes per open connection that the kernel may have delivered but the page does not show yet:
    /// a read in progress; curl has the largest of the programs measured.
    package static let readInHandBytes: Int64 = 102_400
    /// Seconds after its last byte in which a request may still be saving its remainder (B1): on a
    /// busy machine a commit waits for its turn.
    package static let settlingSeconds = 1.0
    /// How many requests a full page may count for each request that reached the origin: a player
    /// that seeks about cancels some before they are sent.
    package static let requestsBegunPerAsked = 2
    /// How far, in seconds, a kill may land from its planned moment: unharmed launches are polled
    /// every half millisecond, which slows a launch of 10 ms by 1.2 ms.
    package static let momentSeconds = 0.002
    /// The smallest probability with which kills count as landed where planned: a run of sound
    /// kills is refused once in a thousand.
    package static let leastSpreadProbability = 0.001
    /// The distance between planned and realised shares of recoveries that is no deviation: on a
    /// busy machine equal recoveries differ by half.
    package static let recoverySpread = 0.25
    /// Later kills planned in recoveries before it counts how many came: else chance decides.
    package static let fewestRecoveryKills = 4
}
