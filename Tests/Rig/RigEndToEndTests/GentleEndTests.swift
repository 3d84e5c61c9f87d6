import Fixture
import FixtureOrigin
import RigLab
import RigModel
import RigVerdict
import TestSupport
import Testing

/// Workers that are asked to end, and killed if they are not gone when their grace is over (T12).
@Suite struct GentleEndTests {
    private let place = Workplace()

    @Test func aCleanUpThatFinishedLosesNothing() async throws {
        try await place.killTest(
            "--fault", "term", "--iterations", "6", "--seed", "\(Nightly.seed(41))", "--trigger",
            "bytes", "--thresholds", "512KB,disabled", "--video-size", "4MB", exits: 0)
        let rows = try place.rows().filter { $0.verdict == .pass }
        #expect(rows.count >= 10)
        for row in rows {
            #expect(row.fault == "term")
            #expect(row.graceSeconds == 5)
            #expect(row.endSeconds != nil)
            #expect(row.lostBytes == 0, "\(row)")
        }
    }

    /// The grace is drawn so that some kills come in the clean-up; which ones, the machine says.
    @Test func aKillInTheCleanUpCostsAtMostTheThreshold() async throws {
        try await place.killTest(
            "--fault", "term:0-50ms", "--iterations", "12", "--seed", "\(Nightly.seed(42))",
            "--trigger", "bytes", "--video-size", "4MB", exits: 0
        ).prints("asked to end")
        let rows = try place.rows()
        #expect(Set(rows.map(\.graceSeconds)).count == rows.count)
        for row in rows where row.verdict == .pass {
            #expect((0...0.05).contains(try #require(row.graceSeconds)))
            let allowed = row.endSeconds == nil ? try #require(row.thresholdBytes) : 0
            #expect(try #require(row.lostBytes) <= allowed, "\(row)")
        }
        let replay = try await rig("replay", "run", "--iteration", "1", "--times", "1", in: place)
        replay.prints("signal 15, and the grace")
    }

    /// A player's proxy saves what has come as well.
    @Test func aProxyThatEndedLosesNothing() async throws {
        try await place.killTest(
            "--fault", "term", "--iterations", "4", "--seed", "\(Nightly.seed(43))",
            "--trigger", "bytes", "--workload", "playback", "--video-size", "4MB", exits: 0)
        let rows = try place.rows().filter { $0.verdict == .pass }
        #expect(!rows.isEmpty)
        rows.all { $0.lostBytes == 0 && $0.endSeconds != nil }
    }

    /// A shell that waited for the downloader ended alone when it was asked.
    ///
    /// The downloader was then killed without having been asked: it lost up to a threshold, and
    /// seemed to have ended by itself. All processes of the group are asked.
    @Test func aProgramInAScriptIsAskedAsWell() async throws {
        try await place.killTest(
            "--fault", "term", "--iterations", "4", "--seed", "\(Nightly.seed(44))",
            "--trigger", "bytes", "--video-size", "4MB", "--gate", "lost_bytes.max <= 0", "--",
            "/bin/sh", "-c",
            "\(Programs.downloader) fetch \"$0\" --cache \"$1\" --output \"$2\" --quiet"
                + "; status=$?; exit $status", "{url}", "{dir}", "{output}", exits: 0)
        let rows = try place.rows().filter { $0.verdict == .pass }
        #expect(rows.count >= 3)
        #expect(rows.allSatisfy { $0.lostBytes == 0 && $0.endSeconds != nil }, "\(rows)")
    }

    /// A worker that saves each read under `disabled` was excused by any request to end, because
    /// an honest one saves then as well.
    @Test(arguments: ["term", "term:0-2ms"])
    func savesForNoReasonAreFoundThoughTheWorkerWasAsked(fault: String) async throws {
        try await place.killTest(
            "--fault", fault, "--iterations", "4", "--seed", "\(Nightly.seed(45))", "--trigger",
            "bytes", "--thresholds", "disabled", "--video-size", "4MB",
            environment: planted("disabled-saves"), exits: 70)
        #expect(try place.rows().contains { $0.checkers.contains(.nullControl) })
    }

    /// Another program, which is started as `$0`, with the video's address and file.
    struct Foreign: CustomTestStringConvertible {
        let testDescription: String
        let command: [String]
        let bound: LossBound?
        let death: Death
        let finding: Checker?
    }

    static let inMemory = """
        import sys, urllib.request
        data = urllib.request.urlopen(sys.argv[1]).read()
        open(sys.argv[2], "wb").write(data)
        """

    static let foreign = [
        Foreign(
            testDescription: "ignores the request, and loses what its kill costs",
            command: [
                "/bin/sh", "-c", "trap '' TERM; exec curl -s -C - -o \"$1\" \"$0\"", "{url}",
                "{output}",
            ], bound: .bytes(64 << 10), death: .signaled(9), finding: nil),
        Foreign(
            testDescription: "ends at once, and loses more than it promises",
            command: ["python3", "-c", inMemory, "{url}", "{output}"], bound: .bytes(1000),
            death: .signaled(15), finding: .bound),
        Foreign(
            testDescription: "ends at once, and promises nothing",
            command: ["python3", "-c", inMemory, "{url}", "{output}"], bound: nil,
            death: .signaled(15), finding: nil),
        Foreign(
            testDescription: "is a script that ends alone, and its program is killed",
            command: [
                "/bin/sh", "-c", "(trap '' TERM; exec curl -s -C - -o \"$1\" \"$0\"); true",
                "{url}", "{output}",
            ], bound: .bytes(64 << 10), death: .signaled(15), finding: nil),
        Foreign(
            testDescription: "crashes in its clean-up",
            command: [
                "/bin/sh", "-c", "trap 'kill -SEGV $$' TERM; curl -s -C - -o \"$1\" \"$0\" & wait",
                "{url}", "{output}",
            ], bound: nil, death: .signaled(11), finding: .crash),
    ]

    @Test(arguments: foreign)
    func anotherProgramIsHeldToWhatItPromises(_ foreign: Foreign) async throws {
        let video = try FixtureVideo(seed: 3, length: 4 << 20)
        let worker = WorkerProfile(
            name: "foreign", command: foreign.command,
            bound: foreign.bound.map { [.term: $0] } ?? [:])
        var spec = RunSpec(fault: .term)
        let grace: Grace = try #require(Grace("300ms"))
        spec.grace = grace
        let evidence = try await LaboratorySettings(
            spec, worker: worker, resources: [Resource(source: video, bytesPerSecond: nil)],
            fileName: "fixture.mp4", scratch: place.path("scratch"),
            environment: ["no_proxy": "127.0.0.1", "NO_PROXY": "127.0.0.1"]
        ).oneKill(at: .bytes(3_000_000))
        #expect(evidence.killSent)
        #expect(evidence.death == foreign.death)
        let judgement = Judge.judge(evidence)
        #expect(
            Set(judgement.findings.map(\.checker)) == Set([foreign.finding].compactMap(\.self)),
            "\(judgement.reason)")
        #expect(judgement.verdict == (foreign.finding == nil ? .pass : .fail))
    }
}
