extension PlantedBug {
    /// The variable by which the reference worker is told to have a bug.
    package static let downloaderVariable = "DOWNLOADER_SABOTAGE"

    /// Every bug that the reference worker can be told to have.
    package static let downloader: [PlantedBug] = saving + playing + library + rare

    private static func bug(
        _ name: String, _ options: [String], _ checkers: [Checker], iterations: Int = 60
    ) -> PlantedBug {
        PlantedBug(
            name: name, environment: [downloaderVariable: name], options: options,
            checkers: checkers, iterations: iterations)
    }

    // The clock's kills land in commits, where a planned byte's seldom do.
    private static let byTheClock = ["--trigger", "time"]
    private static let atAnyMoment: [String] = []
    /// A player on a small video, killed in its middle, after many requests.
    private static let midway = [
        "--workload", "playback", "--trigger", "bytes", "--at", "2MB", "--video-size", "3MB",
    ]
    /// The same where another version of the video is there after the relaunch.
    private static let changed = midway + ["--origin-fault", "change_etag"]
    /// More than the capacity was played when the kill comes.
    private static let crowded = [
        "--workload", "playback", "--trigger", "bytes", "--at", "8MB", "--thresholds", "256KB",
        "--set", "capacity=4MB",
    ]

    private static let saving = [
        bug("acknowledge-early", byTheClock, [.durability]),
        bug("shifted-chunk", atAnyMoment, [.integrity]),
        bug("flipped-byte", atAnyMoment, [.integrity]),
        bug("late-threshold", byTheClock, [.bound]),
        bug("never-commit", atAnyMoment, [.bound]),
        bug("restart", atAnyMoment, [.resumption]),
    ]

    private static let playing = [
        bug("stitched-versions", changed, [.completion, .delivery]),
        bug("evict-row-only", crowded, [.ranges]),
        bug("stride-lookup", midway, [.offline, .resumption]),
        bug("counted-twice", midway, [.duplicates]),
    ]

    private static let library = [
        // Right after the last byte of the second list, and of the greatest image.
        bug("delete-then-insert", inTheLibrary(at: 2), [.library], iterations: 120),
        bug("image-in-place", inTheLibrary(at: 1), [.library], iterations: 120),
    ]

    /// What a single death by signal 9 never shows.
    private static let rare = [
        bug("recovery-drops", ["--kills", "4"], [.durability], iterations: 120),
        bug(
            "missing-fdatasync",
            [
                "--fault", "power-cut", "--durability", "power", "--set", "storage=file",
                "--trigger", "bytes",
            ], [.durability], iterations: 40),
    ]

    private static func inTheLibrary(at list: Int) -> [String] {
        let plan = LibraryPlan(largest: 512 << 10)
        let lists = Int64(list) * LibraryPlan.listBytes
        let images = list == 1 ? plan.list(1).compactMap(\.image).prefix(2) : plan.images(1)[...]
        let position = lists + images.map { plan.imageBytes[$0] }.reduce(0, +)
        return [
            "--workload", "offline-library", "--trigger", "bytes", "--at", "\(position)",
        ]
    }
}
