import Foundation
import Glibc
import RigLab
import RigModel
import RigReport
import TestSupport
import Testing

/// Whether the system has what power cuts need: root, loop devices, mkfs.ext4 and mkfs.xfs.
let isPowerCutPossible = VolumeFileSystem.allCases.allSatisfy {
    (try? PowerCutVolume.check($0)) != nil
}

/// Loop devices with their image in the folder.
func devices(of place: Workplace) -> [String] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: "/sys/block")) ?? []
    let folder = place.url.resolvingSymlinksInPath().path
    return names.filter { name in
        let file = try? String(
            contentsOfFile: "/sys/block/\(name)/loop/backing_file", encoding: .utf8)
        return file?.hasPrefix(folder) ?? false
    }
}

/// Real power cuts of a real file system, under the reference downloader.
@Suite(.enabled(if: isPowerCutPossible, "needs root, loop devices, mkfs.ext4 and mkfs.xfs"))
struct PowerCutTests {
    private let place = Workplace()

    private static let cut = ["--fault", "power-cut"]

    private func summary(_ place: Workplace) throws -> String { try place.text("run/summary.md") }

    // MARK: What durability promises

    @Test(arguments: ["rows", "file"])
    func whatIsSyncedSurvives(storage: String) async throws {
        let outcome = try await place.killTest(
            Self.cut, "--durability", "power", "--iterations", "4", "--seed", "31", "-v",
            "--set", "storage=\(storage)", exits: 0)
        let rows = try place.rows(4)
        rows.all { $0.verdict != .fail && $0.fault == "power-cut" }
        // A worker may finish before a timed kill, but never before its last byte has come.
        let cut = rows.filter { $0.trigger == "bytes" || $0.verdict == .pass }
        #expect(cut.count >= 2)
        #expect(cut.allSatisfy { $0.verdict == .pass && $0.boundOK == true })
        #expect(cut.allSatisfy { ($0.acknowledgedBytes ?? -1) >= 0 })
        #expect(rows.contains { ($0.recoveredBytes ?? 0) > 1 << 20 })
        outcome.prints("bound under power-cut: the threshold")
        #expect(devices(of: place).isEmpty)
        #expect(!place.has("run/scratch"))
        try await rig("judge", "run", in: place, exits: 0)
    }

    /// Workers used to be blamed for the effects of a power cut.
    ///
    /// A worker that is cut off often ends by itself, because of I/O errors, before signal 9
    /// arrives. That was taken for an unharmed worker's failure, and the kill before it for one
    /// that the worker could not recover from.
    @Test(arguments: Nightly.cases(["file", "rows"], usual: 1))
    func aChainOfCutsIsBlamedOnNoWorker(storage: String) async throws {
        try await place.killTest(
            Self.cut, "--durability", "power", "--kills", "4", "--iterations", "4", "--seed",
            "1", "--video-size", "4MB", "--set", "storage=\(storage)", exits: 0)
        let rows = try place.rows(16)
        rows.all { $0.verdict != .fail }
        #expect(rows.count { $0.verdict == .pass } >= 12)
    }

    /// A WAL that is not synced recovers only what was checkpointed, or what had reached the disk
    /// by itself.
    @Test(arguments: ["rows", "file"])
    func whatIsNotSyncedIsGoneAndNothingIsCorrupt(storage: String) async throws {
        let outcome = try await place.killTest(
            Self.cut, "--durability", "process", "--trigger", "bytes", "--at", "3MB",
            "--iterations", "12", "--seed", "32", "--set", "storage=\(storage)", "-v", exits: 0)
        let rows = try place.rows(12)
        let untouched = rows.filter { EarlyWriteback.mean(iterationSeed: $0.seed, kill: 1) == nil }
        #expect(untouched.count >= 2)
        // Before the first checkpoint, at 4 MB, nothing was synced.
        #expect(untouched.allSatisfy { $0.recoveredBytes == 0 })
        for row in rows {
            #expect(row.verdict == .pass, "\(row.reason)")
            #expect(row.corruptBytes == 0)
            #expect(row.boundBytes == nil)
            #expect((row.acknowledgedBytes ?? 0) >= 2 << 20)
        }
        outcome.prints("process promises nothing under a power cut")
    }

    /// With the bytes in files, a checkpoint syncs the index, but not the bytes.
    ///
    /// After a power cut there were rows for 103 of 103 chunks, and bytes for none. The next
    /// launch found out by the checksums, but only after it had reported otherwise. Now it
    /// checks before it reports.
    @Test func anIndexThatSurvivesItsBytesIsNotBelieved() async throws {
        try await place.killTest(
            Self.cut, "--durability", "process", "--trigger", "bytes", "--at", "60MB",
            "--thresholds", "64KB", "--iterations", "1", "--seed", "33", "--set",
            "storage=file", "--video-size", "64MB", exits: 0)
        let rows = try place.rows()
        rows.all { $0.verdict == .pass }
        rows.all { $0.corruptBytes == 0 }
        // So many commits of 64 KB that a checkpoint has come, after 4 MB of WAL.
        rows.all { ($0.acknowledgedBytes ?? 0) > 59 << 20 }
    }

    @Test(arguments: ["playback", "switching", "offline-library"])
    func everyWorkloadSurvives(workload: String) async throws {
        try await place.killTest(
            Self.cut, "--durability", "power", "--iterations", "2", "--seed", "34",
            "--workload", workload, "--video-size", "6MB", exits: 0)
        #expect(try place.rows().allSatisfy { $0.verdict != .fail })
    }

    @Test func xfsIsCutLikeExt4() async throws {
        try await place.killTest(
            Self.cut, "--disk", "xfs", "--durability", "power", "--iterations", "3", "--seed",
            "37", "--trigger", "bytes", exits: 0)
        let rows = try place.rows(3)
        rows.all { $0.verdict == .pass && $0.boundOK == true }
        #expect(rows.contains { ($0.recoveredBytes ?? 0) > 1 << 20 })
        let manifest = try place.text("run/manifest.json")
        #expect(manifest.contains(#""disk" : "xfs""#), "\(manifest)")
        #expect(devices(of: place).isEmpty)
    }

    // MARK: A missing sync

    // With the files, `harness/ci/self-check` plants it.
    @Test(arguments: Nightly.cases(["rows", "file"], usual: 1))
    func aMissingSyncIsCaughtByAPowerCutAndNotByAKill(storage: String) async throws {
        let arguments = [
            "--durability", "power", "--iterations", "3", "--trigger", "bytes",
            "--at", "3MB", "--seed", "35", "--set", "storage=\(storage)", "-v",
        ]
        let bug = planted("missing-fdatasync")
        try await place.killTest(Self.cut + arguments, environment: bug, exits: 99)
        let rows = try place.rows()
        rows.all { $0.verdict == .fail && $0.reason.contains("durability:") }
        let other = Workplace()
        let killed = try await other.killTest(arguments, environment: bug).exits(0)
        #expect(try other.rows().allSatisfy { $0.verdict == .pass })
        // A reader of the second report must not take it for a proof.
        killed.prints("says nothing about syncs")
        #expect(try summary(other).contains("says nothing about syncs"))
    }

    // MARK: Nothing stays

    /// There are rows and the volume exists: the run is in the middle.
    private func isUnderWay(_ place: Workplace) -> Bool {
        ((try? place.rows()) ?? []).count >= 1 && devices(of: place).count == 1
    }

    private static let longRun =
        cut + ["--durability", "power", "--iterations", "500", "--seed", "36"]

    @Test func aRunThatIsInterruptedLeavesNothing() async throws {
        try await rig.end(
            ["kill-test", "--out", "run"] + Self.longRun, in: place, exits: 130,
            once: "cuts have been made"
        ) { isUnderWay(place) }
        #expect(devices(of: place).isEmpty)
        #expect(!place.has("run/scratch"))
    }

    private func images(in place: Workplace) throws -> [String] {
        try place.names(in: "run/scratch").filter { $0.hasPrefix("power-cut.") }
    }

    /// The process ids of the guardian of the run in `place`.
    private func guardians(of place: Workplace) throws -> [pid_t] {
        let manifest = try place.manifest()
        let words = [Guardian.commandName, manifest.runID].map { Data($0.utf8) }
        return try FileManager.default.contentsOfDirectory(atPath: "/proc").compactMap(
            pid_t.init
        ).filter { process in
            let command = FileManager.default.contents(atPath: "/proc/\(process)/cmdline")
            return (command ?? Data()).split(separator: 0).dropFirst().starts(with: words)
        }
    }

    /// The guardian was searched for by its last two arguments, but then got a third.
    ///
    /// So it was not killed, and both it and the next run removed the same leftovers. Any rig
    /// that starts on the machine meanwhile counts as a next run, also another test's. Two of
    /// them took turns at the same leftovers, and each reported a part.
    @Test func whatAKilledRigAndItsGuardianLeaveTheNextRunRemovesAndSays() async throws {
        var scenes = 0
        while try await !theNextRunRemovesAndSays(), scenes < 5 { scenes += 1 }
        #expect(scenes < 5, "each time another rig was quicker")
    }

    /// Kills a rig and its guardian, and starts another rig.
    ///
    /// - Returns: false if a rig of another test had removed everything before, or a part of it.
    private func theNextRunRemovesAndSays() async throws -> Bool {
        let place = Workplace()
        try await Programs.run(
            Programs.rig, ["kill-test", "--out", "run"] + Self.longRun, in: place.url
        ) { rig in
            try await eventually("cuts have been made") { isUnderWay(place) }
            let guardian = try #require(try guardians(of: place).first)
            #expect(kill(guardian, SIGKILL) == 0)
            try await eventually("the guardian is gone") {
                // A process that has ended has no arguments any more.
                try guardians(of: place).isEmpty
            }
            #expect(kill(rig, SIGKILL) == 0)
        }
        // Any run removes them, even one that cuts no power.
        let next = try await rig(
            "kill-test", "--out", "next", "--iterations", "1", in: place, exits: 0)
        func cleaning(_ outcome: Programs.Outcome) -> Substring? {
            outcome.complaint.split(separator: "\n").first {
                $0.contains("cleaned up after run") && $0.contains(place.url.lastPathComponent)
            }
        }
        let line = cleaning(next)
        #expect(devices(of: place).isEmpty)
        #expect(try images(in: place).isEmpty)
        let third = try await rig("kill-test", "--out", "third", "--iterations", "1", in: place)
        #expect(cleaning(third) == nil, "\(third.complaint)")
        let steps = ["unmounted", "detached /dev/loop", "removed"]
        return line.map { line in steps.allSatisfy { line.contains($0) } } ?? false
    }

    @Test func withoutRootItIs77BeforeAnythingIsStarted() async throws {
        #expect(chmod(place.url.path, 0o777) == 0)
        try await Programs.run(
            "/usr/bin/setpriv",
            [
                "--reuid", "65534", "--regid", "65534", "--clear-groups", Programs.rig,
                "kill-test", "--out", "run",
            ] + Self.cut, in: place.url, exits: 77, complains: "sudo")
        #expect(!place.has("run"))
    }
}
