/// A constant that makes the rig accept a deviation: its size, its reason, and the test that guards
/// it.
package struct Tolerance: Sendable, Hashable {
    /// Its name in the documentation.
    package let name: String
    /// Its size, in readable form.
    package let value: String
    /// What is accepted.
    package let forgives: String
    /// Why it is not smaller.
    package let reason: String
    /// The test that fails when it is enlarged.
    package let test: String
}

/// Every constant by which the rig accepts a deviation.
///
/// If a tolerance defined at its point of use grew, only the bug that it lets through would show
/// it. So all are here, each with its reason and the test that fails when it is enlarged;
/// `docs/tolerances.md` is the same table.
package enum Tolerances {
    /// Bytes that a request may fetch although another request fetched them (C7).
    package static let duplicateBytesPerRequest: Int64 = 64 << 10
    /// The number of bytes by which a commit may be smaller than the threshold (B8).
    package static let commitShortfallBytes: Int64 = 36 << 10
    /// The same in 1/512 of the threshold, if that is more.
    package static let commitShortfallParts: Int64 = 36
    /// Commits per active request that may be counted and not yet acknowledged, or vice versa (B8).
    package static let commitsPerActiveRequest = 1
    /// What an eviction may leave free, in thresholds per active request (C6).
    package static let freeThresholdsPerRequest: Int64 = 2
    /// The fraction of the capacity, delivered to the player last, that must not be evicted (C6).
    package static let recentPartOfCapacity: Int64 = 8
    /// This many bytes of an ended request need not be saved (C3).
    package static let probeBytes: Int64 = 2
    /// Shorter stretches of correct bytes between wrong ones count as wrong.
    package static let fewestRightBytes: Int64 = 16
    /// How much a machine's speed may differ between two runs, as a fraction.
    package static let usualDrift = 0.1
    /// How far a stored row's `loss_percent` may be from the value of its bytes, in percent.
    package static let lossPercentRounding = 0.001
    /// The smallest ratio to the throughput without saving that counts as unchanged (B9).
    package static let leastThroughputRatio = 0.9
    /// How much more memory a video ten times as long may need, in bytes (B10).
    package static let memoryGrowthBytes: Int64 = 8 << 20

    /// Bytes per open connection that the kernel may have delivered but the page does not show yet:
    /// a read in progress.
    package static let readInHandBytes: Int64 = 102_400
    /// Seconds after its last byte in which a request may still be saving its remainder (B1).
    package static let settlingSeconds = 1.0
    /// How many requests a full page may count for each request that reached the origin.
    package static let requestsBegunPerAsked = 2
    /// How far, in seconds, a kill may land from its planned moment, by the bytes of unharmed
    /// lives, before it counts as a deviation.
    package static let momentSeconds = 0.002
    /// The smallest probability with which kills count as landed where planned.
    package static let leastSpreadProbability = 0.001

    /// All tolerances, in the order of the documentation.
    package static let all = [
        Tolerance(
            name: "duplicates", value: size(duplicateBytesPerRequest),
            forgives: "per request, bytes that another one brought (C7)",
            reason: "a download that another one takes over from ends with the network read under"
                + " way", test: "duplicatesPerRequest"),
        Tolerance(
            name: "commit size", value: size(commitShortfallBytes),
            forgives: "by how much a commit may fall short of the threshold (B8)",
            reason: "a commit falls short by less than one network read: the documents saw 476 KB"
                + " of 512", test: "commitShortfall"),
        Tolerance(
            name: "commit size, in parts", value: "\(commitShortfallParts) of 512",
            forgives: "the same for thresholds above 512 KB",
            reason: "the documents give no figure for them but this proportion",
            test: "commitShortfallOfGreatThresholds"),
        Tolerance(
            name: "commits in hand", value: "\(commitsPerActiveRequest)",
            forgives:
                "per active request, a commit that is counted and not yet acknowledged, or the"
                + " other way round (B8)",
            reason: "both are memory writes into the page, and a kill can come between them",
            test: "commitsInHand"),
        Tolerance(
            name: "free after an eviction",
            value: "\(freeThresholdsPerRequest) thresholds per active request",
            forgives: "room that is free, and bytes announced and still there (C6)",
            reason: "room is made for one save, the last chunk that goes frees up to a threshold"
                + " more, and the kill may come before the save, or before the commit by which they"
                + " go", test: "freeAfterAnEviction"),
        Tolerance(
            name: "used last", value: "1/\(recentPartOfCapacity) of the capacity",
            forgives: "the eviction of what the player was handed before that (C6)",
            reason: "what a cache keeps for its readers is protected, so that newer bytes may have"
                + " to go first", test: "usedLast"),
        Tolerance(
            name: "probe", value: "\(probeBytes) bytes",
            forgives: "per request that has ended, bytes that were never saved (S2)",
            reason: "the request for bytes 0-1 asks for the video's facts (C3)",
            test: "probesSaveNothing"),
        Tolerance(
            name: "accidental matches", value: "fewer than \(fewestRightBytes) bytes in a row",
            forgives: "right bytes between wrong ones, which count as lost",
            reason: "zeros equal the video's bytes at one position in 256; sixteen in a row are no"
                + " coincidence", test: "aStretchIsOneAlthoughSomeOfItsBytesAreRightByChance"),
        Tolerance(
            name: "drift", value: "10 %",
            forgives: "differences of times between two runs",
            reason: "medians of equal runs on a quiet machine differ by as much",
            test: "usualDrift"),
        Tolerance(
            name: "rounding", value: "0.001 %",
            forgives: "loss_percent of a stored row beside its bytes",
            reason: "three decimals are written", test: "lossPercentRounding"),
        Tolerance(
            name: "throughput", value: "\(leastThroughputRatio)",
            forgives: "a slower download than without saving (B9)",
            reason: "what a benchmark shows of \"no change\" on a machine that does other things",
            test: "figuresThatForgive"),
        Tolerance(
            name: "memory", value: size(memoryGrowthBytes),
            forgives: "more memory for ten times the video (B10)",
            reason:
                "a process takes a few MB more or less by itself; a video that was held would add"
                + " ninety", test: "figuresThatForgive"),
        Tolerance(
            name: "read in hand", value: "\(readInHandBytes) bytes",
            forgives:
                "per open connection, bytes that the kernel had handed over and the page does not"
                + " show",
            reason: "a kill can come between a read and its note; curl has the largest read of the"
                + " programs measured", test: "readInHand"),
        Tolerance(
            name: "settling", value: "1 s",
            forgives: "a request that is under way although its last byte was taken (B1)",
            reason: "what it had left is saved then, and on a busy machine a commit waits for its"
                + " turn", test: "settlingTime"),
        Tolerance(
            name: "requests in the page that never reached the origin", value: "half",
            forgives:
                "of the requests that a full page counts, those that never reached the origin",
            reason: "a player that seeks about cancels some before they are sent",
            test: "requestsThatWereNotAsked"),
        Tolerance(
            name: "moment", value: "2 ms",
            forgives: "a kill that landed later or earlier in the work than it was planned",
            reason: "a launch without a kill is polled every half millisecond, and polling slows a"
                + " launch of 10 ms by 1.2 ms", test: "momentsWithinTheTolerance"),
        Tolerance(
            name: "kill spread", value: "0.001",
            forgives: "kills that landed elsewhere than they were planned, by chance",
            reason: "a run of sound kills is refused once in a thousand", test: "leastSpread"),
    ]

    private static func size(_ bytes: Int64) -> String { ByteSize(bytes: bytes).description }
}
