import Fixture
import FixtureOrigin
import Foundation
import RigLab
import RigModel
import RigVerdict
import TestSupport
import Testing

/// Workers in other languages that keep a witness page: `harness/witness`.
@Suite struct WitnessWorkerTests {
    enum Language: String, CustomTestStringConvertible {
        case c, python
        /// The Python worker, reading in full buffers.
        case waiting
        /// The Python worker; from the third life on it waits after its first byte, twice as long
        /// as the lives before had taken.
        case drifting
        /// The Python worker; in its first launch, by which its pace is measured, it waits after its
        /// first byte.
        case hurrying

        var testDescription: String { rawValue }
    }

    private static let folder = "\(OwnWorker.repository)/harness/witness"
    private static let length: Int64 = 6 << 20
    /// The whole video in a second.
    private static let slow = Double(length)

    /// The Python worker, with other code in the place of its reads.
    private static func reading(_ code: String) -> [String] {
        let script = """
            import _socket, atexit, os, runpy, socket, sys, time
            \(code)
            socket.socket.recv = recv
            sys.path.insert(0, "\(folder)")
            runpy.run_path("\(folder)/downloader.py", run_name="__main__")
            """
        return ["python3", "-c", script]
    }

    /// A read returns once its buffer is full, and is noted then.
    private static let waiting = """
        def recv(self, count, flags=0):
            return _socket.socket.recv(self, count, socket.MSG_WAITALL)
        """

    /// Waits after its first byte, where it is to.
    private static let pausing = """
        reads = []
        def recv(self, count, flags=0):
            if count > 1:
                reads.append(count)
                count = 1 if len(reads) == 1 else count
                if len(reads) == 2:
                    time.sleep(pause)
            return _socket.socket.recv(self, count, flags)
        """

    private static let drifting = """
        began = time.time()
        lives = open(os.environ["LIVES"], "a+", buffering=1)
        lives.seek(0)
        took = [float(line) for line in lives]
        pause = 2 * max(took) if len(took) >= 2 else 0
        if not pause:
            atexit.register(lambda: lives.write(f"{time.time() - began}\\n"))
        \(pausing)
        """

    private static let hurrying = """
        launches = open(os.environ["LIVES"], "a+", buffering=1)
        launches.seek(0)
        pause = 0 if launches.readlines() else 3
        launches.write("launched\\n")
        \(pausing)
        """

    /// The worker as its profile describes it, built if necessary.
    private func worker(_ language: Language, in place: Workplace) async throws -> WorkerProfile {
        let program: [String]
        switch language {
        case .c:
            let built = place.path("downloader-c")
            let outcome = try await Programs.run(
                "/usr/bin/env",
                [
                    "cc", "-O2", "-Wall", "-Wextra", "-pedantic", "-Werror", "-o", built,
                    "\(Self.folder)/downloader.c",
                ], in: place.url)
            try #require(outcome.exitCode == 0, "\(outcome.complaint)")
            program = [built]
        case .python: program = ["python3", "\(Self.folder)/downloader.py"]
        case .waiting: program = Self.reading(Self.waiting)
        case .drifting, .hurrying:
            let lives = "LIVES=\(place.path("lives"))"
            let script = language == .drifting ? Self.drifting : Self.hurrying
            program = ["/usr/bin/env", lives] + Self.reading(script)
        }
        return WorkerProfile(
            name: "witness-\(language)",
            command: program + ["{url}", "{dir}", "{output}", "{threshold}"],
            bound: [.sigkill: .threshold], writesWitness: true,
            inspection: .file(PartialFile(path: "{dir}/part", length: .file("{dir}/part.length"))))
    }

    private func kill(
        _ language: Language, iterations: Int, trigger: TriggerKind, pinned: Trigger? = nil,
        policy: Policy = Policy(threshold: ByteSize(bytes: 256 << 10)), seed: UInt64 = 5,
        bytesPerSecond: Double = 60e6
    ) async throws -> [Judgement] {
        let place = Workplace()
        let video = try FixtureVideo(seed: 3, length: Self.length)
        return try await OwnWorker.kill(
            try await worker(language, in: place),
            by: KillPlan(
                seed: seed, iterations: iterations, policies: [policy], trigger: trigger,
                pinned: pinned, videoLength: video.length),
            of: Resource(source: video, bytesPerSecond: bytesPerSecond), in: place)
    }

    /// All levels exist and agree.
    ///
    /// What the page acknowledges is found, what is found is not requested again, and no
    /// received bytes are lost beyond the bound.
    @Test(arguments: [Language.c, .python])
    func aWorkerInAnotherLanguageLosesWhatItsPolicySays(language: Language) async throws {
        let judgements = try await kill(language, iterations: 10, trigger: .random)
        #expect(judgements.filter { $0.verdict == .fail }.map(\.reason) == [])
        let passed = judgements.filter { $0.verdict == .pass }
        #expect(passed.count >= 8, "\(judgements.map(\.reason))")
        for judgement in passed {
            let figures = judgement.figures
            #expect(judgement.evidence.witness != nil)
            #expect(figures.bound == 256 << 10)
            #expect(figures.refetched == figures.recovered.map(figures.video.subtracting))
            let acknowledged = try #require(figures.acknowledged)
            #expect(acknowledged.subtracting(try #require(figures.recovered)).isEmpty)
        }
        // Where the kernel was asked, it agrees with the page, to the byte.
        let asked = passed.filter { $0.evidence.sockets?.received != nil }
        #expect(asked.count >= 5)
        for judgement in asked {
            #expect(judgement.evidence.sockets?.received == judgement.figures.receivedNow)
        }
        // At most a threshold is lost, but not nothing each time.
        let lost = passed.compactMap { $0.figures.lost?.count }
        #expect((lost.max() ?? 0) > 64 << 10)
    }

    /// A worker that reads in full buffers never notes the byte after which the origin holds back.
    ///
    /// By its page the kill never came, and the rig reported that the worker hung.
    @Test func aWorkerThatReadsInFullBuffersIsKilledAtItsBytes() async throws {
        let judgements = try await kill(.waiting, iterations: 4, trigger: .bytes)
        #expect(judgements.map(\.reason) == ["", "", "", ""])
        var held = 0
        for judgement in judgements {
            guard case .bytes(let planned) = judgement.evidence.planned.trigger else { continue }
            held += 1
            #expect(judgement.figures.receivedNow?.count == planned)
        }
        #expect(held > 0)
    }

    /// Timed kills are based on the measured unharmed lives.
    ///
    /// A worker that had become slow was killed at its first bytes, wherever the plan said, and
    /// its kills were reported as planned. Now the difference is detected, and each such kill
    /// is followed by a new measurement.
    ///
    /// A kill counts as noticed where it landed further from its plan than a fifth of a launch,
    /// as docs/kill-moments.md says. Where in a launch one byte has come is no exact place: on a
    /// busy machine an unharmed launch of a second had it for more than a twentieth of its time.
    @Test func aWorkerThatBecomesSlowIsNoticedAndFollowed() async throws {
        let judgements = try await kill(
            .drifting, iterations: 3, trigger: .time, pinned: .time(0.5), bytesPerSecond: Self.slow)
        let realised = judgements.compactMap {
            $0.row(runID: "r", worker: "w", workload: "download").realised
        }
        #expect(try #require(realised.first) < 0.5 - 0.2)
        #expect(abs(try #require(realised.last) - 0.5) < 0.2)
    }

    /// Launches that have become shorter end before their kill, and are followed as well.
    ///
    /// An iteration was started five times with the unit of the longer launches, and each time
    /// the work was done first. Two such rows of ten left a run undecided on a machine whose
    /// other work had just ended.
    @Test func aWorkerThatBecomesFastIsFollowedWithinAnIteration() async throws {
        let judgements = try await kill(
            .hurrying, iterations: 2, trigger: .time, pinned: .time(0.7), bytesPerSecond: Self.slow)
        #expect(judgements.map(\.reason) == ["", ""])
        #expect(try #require(judgements.first).evidence.livesBegun > 1)
    }

    /// Without a commit before the end everything is lost; otherwise the levels were not compared.
    @Test(arguments: [Language.c, .python])
    func withoutCommitsAllIsLost(language: Language) async throws {
        let judgements = try await kill(
            language, iterations: 2, trigger: .bytes, policy: Policy(threshold: nil))
        #expect(judgements.map(\.verdict) == [.pass, .pass])
        for judgement in judgements {
            #expect(judgement.figures.lost == judgement.figures.received)
            #expect(judgement.figures.received?.isEmpty == false)
        }
    }

    /// The page's hold is honoured: the worker dies in the requested phase.
    @Test(
        arguments: [Language.c, .python],
        Nightly.cases(
            [
                Phase.committing, .recovering, .completing, .starting, .connecting, .receiving,
                .idle,
            ],
            usual: 3))
    func itDiesInThePhaseThatWasAskedFor(language: Language, phase: Phase) async throws {
        let judgements = try await kill(
            language, iterations: 2, trigger: .phase, pinned: .phase(phase), seed: 11)
        #expect(judgements.compactMap(\.evidence.witness?.phase) == [phase, phase])
        #expect(judgements.allSatisfy { $0.evidence.death == .signaled(9) })
        #expect(judgements.map(\.verdict) == [.pass, .pass], "\(judgements.map(\.reason))")
    }
}
