import Foundation
import RigModel
import StorageModel
import TestSupport
import Testing

@testable import RigLab

/// Power cuts by a model: what was not synced is there, lost or torn, as a disk allows (T11).
@Suite struct TornCutTests {
    private let place = Workplace()

    private static let cut = ["--fault", "power-cut-torn", "--video-size", "4MB"]

    private static let storages = [
        ("rows", "random"), ("file", "syscall"), ("rows", "syscall"), ("file", "random"),
    ]

    @Test(arguments: Nightly.cases(storages, usual: 2))
    func whatWasAcknowledgedSurvivesWhereCommitsAreSynced(
        storage: String, trigger: String
    ) async throws {
        try await place.killTest(
            Self.cut, "--durability", "power", "--set", "storage=\(storage)", "--trigger",
            trigger, "--iterations", "6", "--seed", "5", exits: 0)
        let rows = try place.rows(6)
        rows.all { $0.fault == "power-cut-torn" && $0.verdict != .fail }
        #expect(rows.contains { $0.verdict == .pass && ($0.lostBytes ?? 0) > 0 })
    }

    /// Commits that only survive a killed process are lost, and what is left is right.
    @Test func commitsThatAreNotSyncedAreLostAndNothingIsCorrupt() async throws {
        try await place.killTest(
            Self.cut, "--durability", "process", "--iterations", "6", "--seed", "5", exits: 0)
        let rows = try place.rows()
        let reasons = rows.map(\.reason)
        #expect(rows.allSatisfy { ($0.corruptBytes ?? 0) == 0 }, "\(reasons)")
        #expect(rows.allSatisfy { $0.verdict != .fail }, "\(reasons)")
        #expect(rows.contains { ($0.acknowledgedBytes ?? 0) > ($0.recoveredBytes ?? 0) })
    }

    /// A worker that had done its work before the cut was said to have left no file.
    ///
    /// On a busy machine a launch is over before its kill by the clock now and then. The state
    /// was then replaced by what a power cut would have left, although none had come: the
    /// completed file was gone, and the row failed (`exit`). With six runs of 12 kills at a
    /// time 12 of 48 runs had such a row.
    ///
    /// This worker is slow in the launches by which its kill is timed, and fast in all others:
    /// before each further attempt another one is measured.
    @Test func aWorkerThatEndedBeforeItsCutHasDoneItsWork() async throws {
        let script = """
            curl --silent --output "$2" "$1" || exit
            number=${1#http://*/}; number=${number%%/*}
            if [ "$number" = 1 ]; then sleep 4; fi
            if [ $((number % 2)) = 1 ]; then sleep 2; fi
            """
        try script.save(as: "worker.sh", in: place)
        try await rig(
            "kill-test", "--fault", "power-cut-torn", "--video-size", "1MB", "--trigger",
            "time", "--at", "0.9", "--iterations", "1", "--seed", "5", "--out", "run", "--",
            "sh", place.path("worker.sh"), "{url}", "{output}", in: place, exits: 98)
        let rows = try place.rows()
        #expect(rows.map(\.verdict) == [.inconclusive], "\(rows.map(\.reason))")
        rows.all { $0.reason.contains("ended by itself") }
        #expect(rows.map(\.attempts) == [5])
    }

    /// A planted bug: the syncs of durability `power` are left out.
    ///
    /// SIGKILL cannot detect it. 15 of 20 kills show it: that none of 20 does is rarer than one
    /// in a million. The evidence keeps the log, from which the same state can be rebuilt.
    @Test(arguments: Nightly.cases(["rows", "file"], usual: 1))
    func aMissingSyncIsCaught(storage: String) async throws {
        try await place.killTest(
            Self.cut, "--durability", "power", "--set", "storage=\(storage)", "--iterations",
            "20", "--seed", "5", "--evidence", "all",
            environment: planted("missing-fdatasync"), exits: 99)
        let failed = try place.rows().filter { $0.verdict == .fail }
        #expect(failed.contains { $0.reason.contains("durability:") })

        // If a cache was never synced, a cut may leave nothing at all.
        func evidence(_ row: IterationRow) -> String {
            place.path("run/evidence/\(row.policy)-\(row.iteration)-1")
        }
        let first = try #require(
            try failed.first { try !Self.files(in: "\(evidence($0))/state").isEmpty })
        let again = place.path("again")
        try place.makeFolder("again")
        let image = try TornCut.image(
            log: "\(evidence(first))/storage.log", iterationSeed: first.seed)
        try image.replace(folder: again)
        #expect(try Self.files(in: again) == Self.files(in: "\(evidence(first))/state"))
    }

    /// Twice a power cut right after a call of `worker.sh`, judged by up to 20 states.
    private func cutAfterTheRename(
        of arguments: [String], disk: String, at call: Int = 5
    ) async throws -> Programs.Outcome {
        try await rig(
            [
                "kill-test", "--fault", "power-cut-torn", "--video-size", "1MB", "--disk",
                disk, "--states", "20", "--trigger", "syscall", "--at", "\(call):after",
                "--iterations", "2", "--seed", "5", "--out", "run", "--", "sh",
                place.path("worker.sh"),
            ] + arguments, in: place)
    }

    /// A worker that writes a copy and renames it over the old one, with and without a sync.
    ///
    /// The model of ext4 said that the copy's data comes with its new name. Real ones leave a
    /// file full of zeros under it, and the worker takes that for the video. The power fails
    /// right after the rename.
    @Test(
        arguments: Nightly.cases(
            [
                ("ext4", "", 99), ("ext4", " conv=fsync", 0), ("posix", "", 99),
                ("btrfs", " conv=fsync", 0),
            ] as [(String, String, Int32)], usual: 2))
    func aRenameNeedsASync(disk: String, sync: String, exitCode: Int32) async throws {
        try #"""
        if [ ! -s "$2/video" ]; then
            curl --silent "$1" | dd status=none bs=2M iflag=fullblock of="$2/new"SYNC || exit
            : >"$2/video"
            mv "$2/new" "$2/video"
        fi
        cp "$2/video" "$3"
        """#.replacing("SYNC", with: sync).save(as: "worker.sh", in: place)
        try await cutAfterTheRename(
            of: ["{url}", "{dir}", "{output}"], disk: disk, at: sync.isEmpty ? 5 : 6
        ).exits(exitCode)
        let rows = try place.rows()
        let failed = rows.filter { $0.verdict == .fail }
        #expect(failed.count == (exitCode == 0 ? 0 : 2), "\(rows.map(\.reason))")
        #expect(failed.allSatisfy { $0.checkers.contains(.completion) })
        // The evidence is of the last state that was tried.
        for row in failed {
            let evidence = place.path("run/evidence/\(row.policy)-\(row.iteration)-1")
            let again = place.path("again-\(row.iteration)")
            try place.makeFolder("again-\(row.iteration)")
            try TornCut.image(
                log: "\(evidence)/storage.log", iterationSeed: row.seed,
                on: try #require(DiskModel(rawValue: disk)), number: try #require(row.crashStates)
            ).replace(folder: again)
            #expect(try Self.files(in: again) == Self.files(in: "\(evidence)/state"))
        }
        // Where nothing is wrong, every state is tried.
        rows.all { ($0.crashStates ?? 0) > 1 }
    }

    /// The same without a copy: what is renamed is the completed file itself.
    ///
    /// From the second state on it was removed before the relaunch, which then downloaded it
    /// anew: only the first state was tested, and this worker passed.
    @Test func everyStateHasTheCompletedFileInIt() async throws {
        try #"""
        if [ ! -s "$2" ]; then
            curl --silent "$1" | dd status=none bs=2M iflag=fullblock of="$2.new" || exit
            : >"$2"
            mv "$2.new" "$2"
        fi
        """#.save(as: "worker.sh", in: place)
        try await cutAfterTheRename(of: ["{url}", "{output}"], disk: "posix").exits(99)
        let rows = try place.rows()
        #expect(rows.map(\.verdict) == [.fail, .fail], "\(rows.map(\.reason))")
        #expect(rows.contains { ($0.crashStates ?? 0) > 1 })
    }

    /// A cache made to survive only killed processes is continued under `power`.
    ///
    /// The database file itself had never been synced: after a cut it was empty, and every
    /// commit in its WAL, acknowledged under `power`, was lost with it.
    @Test func aCacheMadeWithoutSyncsSurvivesOnceItIsOpenedForPower() async throws {
        let (place, origin) = (Workplace(), Workplace())
        try place.makeFolder("cache")
        let served = try await Programs.run(
            Programs.rig, ["serve", "--video-size", "20MB", "--bandwidth", "8MB/s"], in: origin.url
        ) { server in
            defer { kill(server, SIGTERM) }
            let url = try await servedURL(in: origin)
            try await rig(
                "trace", "--report", "report", "--under", "cache", "--record", "log", "--",
                "/bin/sh", "-c", Self.twoKilledFetches(url), in: place)
            let before = try ScenarioState(copyOf: place.path("cache"), place).chunks
            for seed in 0..<20 as Range<UInt64> {
                let after = place.path("after-\(seed)")
                try place.makeFolder("after-\(seed)")
                try TornCut.image(log: place.path("log"), iterationSeed: seed)
                    .replace(folder: after)
                let found = try ScenarioState(copyOf: after, place).chunks
                // The last commit may not have returned yet.
                for (video, unsure) in [(url, 0), (url + "?second", 1)] {
                    let kept = try #require(before[video])
                    #expect(kept.count > 1)
                    #expect(found[video]?.count ?? 0 >= kept.count - unsure, "\(seed)")
                }
            }
        }
        #expect(served.exitCode == 0, "\(served.complaint)")
    }

    /// Two fetches, each killed once it has saved two chunks or more.
    ///
    /// The first is made to survive only a kill, the second a power cut.
    private static func twoKilledFetches(_ url: String) -> String {
        """
        killed() {
            file=$1; shift
            "$@" & running=$!
            until [ "$(stat -c %s "$file" 2>/dev/null || echo 0)" -gt 1600000 ]; do
                sleep 0.01
            done
            kill -9 "$running"; wait "$running"
        }
        fetch="\(Programs.downloader) fetch --quiet --cache cache"
        killed cache/data/1 $fetch --url '\(url)'
        killed cache/data/2 $fetch --url '\(url)?second' --durability power
        """
    }

    /// Files by path, without the shared memory that reading a database leaves.
    private static func files(in folder: String) throws -> [String: Data] {
        var found: [String: Data] = [:]
        for path in try FileManager.default.subpathsOfDirectory(atPath: folder)
        where !path.hasSuffix("-shm") {
            found[path] = FileManager.default.contents(atPath: "\(folder)/\(path)")
        }
        return found
    }
}

extension TornCut {
    /// One of the states that a run tries after the first kill of an iteration.
    ///
    /// They are counted from 1, as `crash_states` of a row that failed.
    fileprivate static func image(
        log: String, iterationSeed: UInt64, on disk: DiskModel = .ext4, number: Int = 1
    ) throws -> CrashImage {
        var states = try states(
            log: log, iterationSeed: iterationSeed, kill: 1, by: CrashModel(disk: disk))
        for _ in 1..<number { _ = states.next() }
        let image = states.next()
        return try #require(image)
    }
}
