import Foundation
import RigModel
import TestSupport
import Testing

/// Workers that lose everything, or write nothing, each of which passed by another excuse.
@Suite struct HiddenLossTests {
    private let place = Workplace()

    private func run(
        _ profile: String, script: String, _ options: [String] = [], exits code: Int32 = 99
    ) async throws -> Programs.Outcome {
        try script.save(as: "worker.py", in: place)
        let text = profile.replacingOccurrences(of: "WORKER", with: place.path("worker.py"))
        try "name: own\n\(text)\n".save(as: "own.yml", in: place)
        return try await place.killTest(
            options, "--worker", "./own.yml", "--iterations", "2", "--seed", "1", exits: code)
    }

    /// Each request of the last second raised the bound by a threshold: 8.3 MB could be lost
    /// where 64 KB were promised.
    @Test func manySmallRequestsDoNotRaiseTheBound() async throws {
        let outcome = try await run(
            """
            command: [python3, WORKER, "{url}", "{output}", "{threshold}"]
            bound: {sigkill: threshold}
            """,
            script: """
                import http.client, sys, urllib.parse
                url = urllib.parse.urlsplit(sys.argv[1])
                origin, data, total = http.client.HTTPConnection(url.netloc), b"", None
                while total is None or len(data) < total:
                    part = f"bytes={len(data)}-{len(data) + 65535}"
                    origin.request("GET", url.path, headers={"Range": part})
                    answer = origin.getresponse()
                    data += answer.read()
                    total = int(answer.getheader("Content-Range").split("/")[1])
                open(sys.argv[2], "wb").write(data)
                """, ["--thresholds", "64KB", "--trigger", "bytes"])
        outcome.prints("lost more than is allowed")
    }

    /// It keeps the number of received bytes only; what its export fetched did not count.
    @Test func whatAnExportFetchesWasNotThere() async throws {
        try await run(
            """
            command: [python3, WORKER, "{url}", "{dir}/count"]
            export: [curl, -sS, -o, "{output}", "{url}"]
            bound: {sigkill: 102400}
            """,
            script: """
                import os, sys, urllib.request
                url, count = sys.argv[1:]
                done = int(open(count).read()) if os.path.exists(count) else 0
                ask = urllib.request.Request(url, headers={"Range": f"bytes={done}-"})
                with urllib.request.urlopen(ask) as answer:
                    file = os.open(count, os.O_CREAT | os.O_WRONLY)
                    while data := answer.read1(16384):
                        done += len(data)
                        os.pwrite(file, b"%d" % done, 0)
                """, ["--trigger", "bytes"]
        ).prints("lost more than is allowed")
    }

    /// A downloader that is asked to end before its kill, and then does what the code says.
    private func run(asked code: String, exits status: Int32) async throws -> Programs.Outcome {
        try """
        import glob, os, signal, subprocess, sys
        worker, state = subprocess.Popen(sys.argv[2:]), sys.argv[1]
        asked = []
        signal.signal(signal.SIGTERM, lambda *_: (asked.append(1), worker.terminate()))
        code = worker.wait()
        if asked:
            \(code)
        os._exit(code)
        """.save(as: "worker.py", in: place)
        let profile = try Checkout.text(of: "Sources/Rig/RigProfiles/profiles/downloader.yml")
        let own = [
            "python3", place.path("worker.py"), "\"{dir}\"", Programs.downloader,
        ].map { "  - \($0)\n" }.joined()
        try profile.replacingOccurrences(
            of: "command:\n  - downloader\n", with: "command:\n\(own)"
        ).save(as: "own.yml", in: place)
        return try await place.killTest(
            "--worker", "./own.yml", "--iterations", "2", "--video-size", "3MB", "--seed", "1",
            "--trigger", "phase", "--at", "starting", exits: status)
    }

    /// Asked to end before its kill, it crashes, which a shell reports by an exit code.
    @Test(arguments: [(139, 99), (143, 0)])
    func aCrashWhenAskedToEndIsNoEndAsAsked(code: Int, verdict: Int32) async throws {
        _ = try await run(asked: "code = \(code)", exits: verdict)
        if verdict == 99 { try place.rows().all { $0.reason.contains("exit code 139") } }
    }

    /// The killed launch began with nothing, so nothing was missed after it.
    @Test func whatWasAcknowledgedBeforeTheKilledLaunchIsMissed() async throws {
        _ = try await run(asked: "[os.remove(f) for f in glob.glob(state + '/*')]", exits: 99)
        try place.rows().all {
            $0.reason.contains("a launch before the kill had acknowledged are gone")
        }
    }

    /// Its completed file is a link to a right one that it has not written.
    @Test func aLinkIsNotItsWork() async throws {
        try LibraryOrigin.image("v", bytes: 3_000_000).save(as: "v.bin", in: place)
        try await run(
            """
            command: [python3, WORKER, "{url}", "{output}", "\(place.path("v.bin"))"]
            """,
            script: """
                import os, sys, urllib.request
                url, output, video = sys.argv[1:]
                urllib.request.urlopen(url).read()
                os.path.lexists(output) or os.symlink(video, output)
                """, ["--video", "v.bin"], exits: 69
        ).complains("left no file")
    }

    /// What is inspected is a link out of the state folder, which may change after the kill.
    ///
    /// Such a state could not be read, so nothing was judged, although the relaunch fetched
    /// everything again.
    @Test func aLinkOutOfTheStateIsNotInspected() async throws {
        _ = try await run(
            """
            command: [python3, WORKER, "{url}", "{output}", "{dir}/part", "\(place.path("own.yml"))"]
            inspect: {file: "{dir}/part", length: size}
            bound: {sigkill: 102400}
            """,
            script: """
                import os, sys, urllib.request
                url, output, part, other = sys.argv[1:]
                os.path.lexists(part) or os.symlink(other, part)
                open(output, "wb").write(urllib.request.urlopen(url).read())
                """,
            // On a busy machine a kill by the clock comes after the end.
            ["--trigger", "bytes"])
        try place.rows().all {
            $0.verdict == .fail && $0.reason.contains("state could not be read")
        }
    }

    /// With a capacity, bytes may be missing that were evicted, but none where all fit.
    ///
    /// On a machine with nine times the load that it can handle, 40 of 40 kills show what is
    /// counted twice, and 70 of 80 what is fetched again: that none of 7 does is rarer than
    /// one in a million.
    @Test(arguments: [("restart", 7), ("counted-twice", 2)])
    func aCapacityThatNothingExceedsExcusesNothing(bug: String, iterations: Int) async throws {
        try await place.killTest(
            "--workload", "playback", "--set", "capacity=1GB", "--iterations", "\(iterations)",
            "--trigger", "bytes", "--at", "3000000", "--video-size", "3MB", "--seed", "1",
            environment: planted(bug), exits: 99)
    }
}
