import Foundation
import RigModel
import RigReport
import TestSupport
import Testing

/// `--tls`: the origin speaks https, and every figure is as exact as without it.
@Suite struct EncryptedOriginTests {
    private let place = Workplace()

    /// The reference downloader keeps its promises in every workload, on both storages.
    @Test(
        arguments: Nightly.cases(
            [
                ("download", "file"), ("playback", "rows"), ("download", "rows"),
                ("playback", "file"), ("switching", "file"), ("switching", "rows"),
            ], usual: 2))
    func thePromisesHold(workload: String, storage: String) async throws {
        let iterations = Nightly.rounds(10, nightly: 40)
        try await place.killTest(
            "--tls", "--workload", workload, "--iterations", "\(iterations)", "--seed",
            "\(Nightly.seed(2001))", "--video-size", "4MB", "--set", "storage=\(storage)", exits: 0)
        let rows = try place.rows(iterations)
        rows.all { $0.verdict != .fail && $0.corruptBytes == 0 }
        #expect(rows.count { $0.verdict == .pass } * 10 >= iterations * 8)
        // The kernel's count was compared with the page.
        #expect(
            rows.filter { $0.verdict == .pass }
                .allSatisfy { !$0.notJudged.contains(.agreement) })
        #expect(try place.manifest().tls == true)
    }

    @Test func theOfflineLibraryIsKept() async throws {
        try await place.killTest(
            "--tls", "--workload", "offline-library", "--iterations", "4", "--seed", "2002",
            exits: 0)
        #expect(try place.rows().allSatisfy { $0.verdict != .fail })
    }

    /// Below 256 KB the transport reads less than a record at once, and its TLS library keeps
    /// the rest of the record: bytes that are received, and not in the request's buffer.
    @Test func aSmallThresholdHoldsAsWell() async throws {
        try await place.killTest(
            "--tls", "--thresholds", "32KB", "--iterations", "\(Nightly.rounds(30, nightly: 100))",
            "--seed", "5", "--video-size", "4MB", "--bandwidth", "20MB/s", exits: 0)
    }

    /// Kills at planned bytes land at exactly that byte, encrypted or not.
    @Test(arguments: ["curl-unbuffered", "downloader"])
    func aPlannedByteIsReached(worker: String) async throws {
        try await place.killTest(
            "--tls", "--worker", worker, "--iterations", "6", "--seed", "2004", "--trigger",
            "bytes", "--at", "1234567", "--video-size", "3MB", exits: 0)
        let rows = try place.rows()
        // Kills while bytes flow come later.
        #expect(rows.contains { $0.receivedBytes == 1_234_567 })
        rows.all { ($0.receivedBytes ?? 0) >= 1_234_567 }
    }

    /// Programs that were not written for the rig lose no more than their constants say.
    @Test(
        arguments: Nightly.cases(
            ["curl", "aria2-autosave-1s", "wget", "curl-unbuffered"], usual: 2))
    func programsLoseNoMore(worker: String) async throws {
        try await place.killTest(
            "--tls", "--worker", worker, "--iterations", "\(Nightly.rounds(8, nightly: 40))",
            "--trigger", "bytes", "--seed", "\(Nightly.seed(2005))", "--video-size", "3MB",
            exits: 0)
        let rows = try place.rows()
        rows.all { $0.receivedBytes != nil }
        #expect(rows.contains { ($0.receivedBytes ?? 0) > 0 })
        // The stored rows are of that run: a bound over TLS was taken for a contradiction.
        try await rig("judge", "run", in: place, exits: 0)
    }

    @Test(
        arguments: Nightly.cases(
            [
                ["--trigger", "syscall"],
                // The way slows down what is encrypted.
                ["--trigger", "bytes", "--jobs", "3", "--origin-fault", "bandwidth:20MB/s"],
                ["--trigger", "phase"],
                ["--fault", "power-cut-torn", "--durability", "power"], ["--fault", "abort"],
                ["--origin-fault", "changed"], ["--origin-fault", "reset_peer:1MB:1"],
            ], usual: 2))
    func otherKillsGoAsWell(options: [String]) async throws {
        try await place.killTest(
            ["--tls", "--iterations", "6", "--seed", "3", "--video-size", "3MB"] + options,
            exits: 0)
    }

    /// A command of one's own is told the authority by `{ca}`, and by the usual variables.
    ///
    /// A replay is encrypted again: the worker takes nothing but https.
    @Test(arguments: [["--cacert", "{ca}"], []])
    func aCommandTrustsTheAuthority(arguments: [String]) async throws {
        let command = ["curl", "-q", "-sS", "--proto", "=https", "-N", "-C", "-", "-o", "{output}"]
        try await place.killTest(
            [
                "--tls", "--iterations", "2", "--trigger", "bytes", "--seed", "2006",
                "--video-size", "3MB", "--",
            ] + command + arguments + ["{url}"], exits: 0)
        try await rig("replay", "run", "--iteration", "1", "--times", "2", in: place, exits: 0)
    }

    /// The origin's authority is not the system's: a worker that trusts nothing else fails
    /// before any kill.
    @Test func aWorkerThatTrustsAnotherAuthorityCannotBeKilled() async throws {
        try await place.killTest(
            "--tls", "--iterations", "2", "--video-size", "3MB", "--", "curl", "-q", "-sS",
            "--cacert", "/dev/null", "-o", "{output}", "{url}", exits: 69,
            complains: "does not complete the video")
    }

    /// `rig serve --tls` names the authority's file, by which clients trust it.
    @Test func serveNamesItsAuthority() async throws {
        try await serving(["--tls", "--json", "--video-size", "3MB"], in: place) { line in
            let words = line.split(separator: "\"").map(String.init)
            // {"ca":"FILE","url":"URL"}
            #expect(words.count == 9 && words[1] == "ca" && words[5] == "url")
            let other = Workplace()
            try await Programs.run(
                "/usr/bin/curl",
                ["-sS", "--cacert", words[3], "-o", place.path("video"), words[7]],
                in: other.url, exits: 0)
        }
        let size =
            try FileManager.default
            .attributesOfItem(atPath: place.path("video"))[.size] as? Int
        #expect(size == 3 << 20)
    }
}
