import Foundation
import Glibc
import RigModel
import RigReport
import TestSupport
import Testing

/// Parallel iterations give the same results as sequential ones, in the same order.
@Suite struct JobsTests {
    private let place = Workplace()

    private static let options = [
        "--iterations", "6", "--video-size", "1MB", "--thresholds", "64KB,disabled", "--seed",
        "31", "--trigger", "bytes",
    ]

    // MARK: The same rows

    /// A bug is caught in as many rows, and all of them keep their evidence.
    @Test func whatThePlanDecidesDoesNotDependOnJobs() async throws {
        func planned(_ jobs: Int) throws -> [[String]] {
            try PartitionTests.planned(place.path("of-\(jobs)/iterations.csv"))
        }
        // The second kill of a chain may be a timed one, and come too late.
        func verdicts(_ jobs: Int) throws -> [Verdict] {
            try place.rows(in: "of-\(jobs)").filter { $0.kill == 1 }.map(\.verdict)
        }
        for jobs in [1, 4] {
            let outcome = try await rig(
                [
                    "kill-test", "--out", "of-\(jobs)", "--jobs", "\(jobs)", "--json",
                    "--kills", "2",
                ] + Workplace.gateOfFewRows + Self.options, in: place,
                environment: planted("never-commit"), exits: 99)
            let events = outcome.output.split(separator: "\n").filter {
                $0.hasPrefix("{\"event\":\"row\"")
            }
            let rows = try place.rows(24, in: "of-\(jobs)")
            #expect(
                zip(events, rows).allSatisfy {
                    $0.contains("\"iteration\":\($1.iteration),\"kill\":\($1.kill),")
                        && $0.contains("\"policy\":\"\($1.policy)\"")
                })
            #expect(events.count == 24)
            outcome.prints("\"jobs\":\(jobs),")
            #expect(!place.has("of-\(jobs)/scratch"))
            let failed = rows.filter { $0.verdict != .pass }
            #expect(
                try place.names(in: "of-\(jobs)/evidence")
                    == failed.map { "\($0.policy)-\($0.iteration)-\($0.kill)" }.sorted())
        }
        #expect(try planned(4) == planned(1))
        #expect(try verdicts(4) == verdicts(1) && verdicts(1).contains(.fail))
        let compared = try await rig("compare", "of-1", "of-4", in: place)
        #expect(
            (compared.output + compared.complaint).contains("differs: jobs 1 / 4"),
            "\(compared.output)")
    }

    /// Workloads with their own player, servers and ports.
    @Test(arguments: Nightly.cases(["switching", "offline-library", "playback"], usual: 2))
    func everyWorkloadGoesOnSeveralTimesAtOnce(workload: String) async throws {
        try await place.killTest(
            "--workload", workload, "--iterations", "6", "--trigger", "bytes", "--seed", "32",
            "--jobs", "3", "--video-size", "3MB", exits: 0)
        #expect(try place.rows().map(\.iteration) == Array(1...6))
    }

    // MARK: Ends

    /// So long that a signal lands in the middle of several iterations.
    private static let slowRun = [
        "--iterations", "30", "--bandwidth", "20MB/s", "--trigger", "bytes", "--jobs", "3",
    ]

    /// The iterations with live workers, by their folders.
    private func iterations(of place: Workplace) -> Set<String> {
        let mark = "RIG_ITERATION=\(place.url.resolvingSymlinksInPath().path)/run/scratch/"
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        return names.compactMap(pid_t.init).reduce(into: []) { found, process in
            let environment = FileManager.default.contents(atPath: "/proc/\(process)/environ")
            for entry in (environment ?? Data()).split(separator: 0) {
                let text = String(decoding: entry, as: UTF8.self)
                if text.hasPrefix(mark) { found.insert(String(text.dropFirst(mark.count))) }
            }
        }
    }

    private func endSlowRun(by signal: Int32, exits code: Int32?) async throws {
        try await rig.end(
            ["kill-test", "--out", "run"] + Self.slowRun, in: place, by: signal, exits: code,
            once: "rows are there, and three workers at work"
        ) { ((try? place.rows()) ?? []).count >= 2 && iterations(of: place).count == 3 }
    }

    @Test func anInterruptedRunKeepsTheFirstRowsOfItsPlanAndIsFinished() async throws {
        try await endSlowRun(by: SIGINT, exits: 130)
        #expect(iterations(of: place).isEmpty)
        #expect(!place.has("run/scratch"))
        let rows = try place.rows()
        #expect((2..<30).contains(rows.count))
        #expect(rows.map(\.iteration) == Array(1...rows.count))
        try await rig("resume", "run", "--jobs", "0", in: place, exits: 64)
        let kept = try place.text("run/iterations.csv")
        try await rig("resume", "run", "--jobs", "8", in: place, exits: 0)
        #expect(try place.rows().map(\.iteration) == Array(1...30))
        #expect(try place.text("run/iterations.csv").hasPrefix(kept))
        #expect(try place.manifest().jobs == 3)
        #expect(try place.manifest().resumed?.map(\.jobs) == [8])
        // Resumed again without a number of jobs, the run uses that of the last time.
        try place.change("run/iterations.csv") {
            $0.split(separator: "\n").dropLast().joined(separator: "\n") + "\n"
        }
        try await rig("resume", "run", in: place, exits: 0)
        #expect(try place.manifest().resumed?.map(\.jobs) == [8, 8])
    }

    @Test func aKilledRigLeavesNoWorkerOfAnyJob() async throws {
        try await endSlowRun(by: SIGKILL, exits: nil)
        let killed = ContinuousClock.now
        try await eventually("no worker is left") { iterations(of: place).isEmpty }
        // The documents promise a second, so the time is measured.
        #expect(ContinuousClock.now - killed < .seconds(1))
        let rows = try place.rows()
        #expect(rows.map(\.iteration) == Array(1...rows.count))
        try await rig("judge", "run", in: place, exits: 97)
    }

    /// An error that ends one job ends all of them, as it would end a single one.
    @Test func whatEndsOneJobEndsTheRun() async throws {
        // From some moment on every worker leaves a program behind.
        let script = """
            if [ -e \(place.path("daemons")) ]; then setsid sleep 1000 > /dev/null 2>&1 & fi
            exec curl -sS -C - -o "$2" "$1"
            """
        let outcome = try await Programs.run(
            Programs.rig,
            [
                "kill-test", "--out", "run", "--iterations", "500", "--video-size", "1MB",
                "--trigger", "bytes", "--jobs", "3", "--", "/bin/sh", "-c", script, "sh",
                "{url}", "{output}",
            ], in: place.url
        ) { _ in
            try await eventually("some rows are there") { ((try? place.rows()) ?? []).count >= 2 }
            try Data().save(as: "daemons", in: place)
        }
        #expect(outcome.exitCode == 69, "\(outcome.output)\(outcome.complaint)")
        outcome.complains("run it in the foreground")
        #expect(iterations(of: place).isEmpty)
        let rows = try place.rows()
        #expect((2..<500).contains(rows.count))
        #expect(rows.map(\.iteration) == Array(1...rows.count))
    }

    // MARK: Power cuts

    /// Each job has its own file system, so a cut of one takes nothing from another.
    @Test(.enabled(if: isPowerCutPossible, "needs root, loop devices and mkfs.ext4"))
    func powerIsCutInSeveralPlacesAtOnce() async throws {
        try await place.killTest(
            "--fault", "power-cut", "--durability", "power", "--iterations", "6", "--seed",
            "33", "--jobs", "3", exits: 0)
        let rows = try place.rows()
        #expect(rows.map(\.iteration) == Array(1...6))
        rows.all { $0.verdict != .fail && $0.fault == "power-cut" }
        let byBytes = rows.filter { $0.trigger == "bytes" }
        #expect(byBytes.count == 3)
        #expect(byBytes.allSatisfy { $0.verdict == .pass })
        #expect(!place.has("run/scratch"))
    }

    @Test(.enabled(if: isPowerCutPossible, "needs root, loop devices and mkfs.ext4"))
    func theGuardianUnmountsWhatEveryJobLeaves() async throws {
        try await rig.end(
            [
                "kill-test", "--out", "run", "--fault", "power-cut", "--durability", "power",
                "--iterations", "500", "--seed", "36", "--jobs", "2",
            ], in: place, by: SIGKILL, exits: nil, once: "cuts have been made"
        ) { ((try? place.rows()) ?? []).count >= 2 && devices(of: place).count == 2 }
        try await eventually("the devices are gone") { devices(of: place).isEmpty }
        try await eventually("the images are gone") {
            // A folder may be removed while its names are read.
            let names = try? FileManager.default.subpathsOfDirectory(
                atPath: place.path("run/scratch"))
            return names?.allSatisfy { !$0.contains("power-cut.") } ?? false
        }
    }

    // MARK: What is refused

    @Test func aFileThatAllJobsWouldShareIsRefused() async throws {
        let file = place.path("shared.mp4")
        try """
        name: sharing
        command: [curl, -sS, -C, "-", -o, "\(file)", "{url}"]
        completed: "\(file)"
        """.save(as: "sharing.yml", in: place)
        try await place.killTest(
            "--worker", "./sharing.yml", "--iterations", "2", "--video-size", "1MB", "--jobs",
            "2", exits: 64, complains: "which all jobs would share")
    }
}
