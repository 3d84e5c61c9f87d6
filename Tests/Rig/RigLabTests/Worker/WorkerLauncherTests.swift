import Foundation
import Glibc
@testable import RigLab
import RigModel
import Synchronization
import TestSupport
import Testing
import Witness

/// Real processes that are really killed.
struct WorkerLauncherTests {
    private let launcher = WorkerLauncher(environment: ["RIG_TEST": "all"])

    private func waitForEnd(_ worker: LivingWorker) {
        worker.waits("it has ended") { !worker.isAlive }
    }

    @Test func howAProcessEndsIsToldApart() async throws {
        let folder = try TemporaryFolder()
        let log = folder.file("log")
        let exited = try await launcher.run(["/bin/sh", "-c", "exit 7"], log: log) {
            waitForEnd($0)
        }
        #expect(exited.death == .exited(7))
        let aborted = try await launcher.run(["/bin/sh", "-c", "kill -ABRT $$"], log: log) {
            waitForEnd($0)
        }
        #expect(aborted.death == .signaled(SIGABRT))
        let killed = try await launcher.run(["/bin/sleep", "1000"], log: log) { $0.kill() }
        #expect(killed.death == .signaled(SIGKILL))
    }

    /// A script died of the request, while its server was still storing what it had: the server was
    /// killed at once, and what it left was taken for that of an unharmed run.
    @Test func aGroupIsAskedToEndAndWaitedFor() async throws {
        let folder = try TemporaryFolder()
        let (done, ready) = (folder.file("done"), folder.file("ready"))
        let server = """
            (trap 'sleep 0.3; touch \(done); exit' TERM; touch \(ready)
             while :; do sleep 0.01; done)
            """
        let launcher = WorkerLauncher(environment: [:], asksGroup: true)
        let result = try await launcher.run(
            ["/bin/sh", "-c", "\(server) & wait"], log: folder.file("log")
        ) { worker in
            worker.waits("it is ready") { FileManager.default.fileExists(atPath: ready) }
            worker.end()
            waitForEnd(worker)
        }
        #expect(result.death == .signaled(SIGTERM))
        #expect(FileManager.default.fileExists(atPath: done))
    }

    /// "Build it, or check its path", where the system had no process left to give.
    @Test(arguments: [(EAGAIN, "ulimit -u"), (ENOMEM, "ulimit -v"), (EMFILE, "ulimit -n")])
    func whatTheMachineIsShortOfIsNamed(code: Int32, says: String) {
        let remedy = SystemFailure.remedy(forStart: code)
        #expect(remedy?.contains(says) == true, "\(remedy ?? "")")
        #expect(SystemFailure.remedy(forStart: ENOENT) == nil)
    }

    @Test(arguments: ["none", "/no/such/program"])
    func aProgramThatIsNotThereIsToBeBuilt(program: String) async throws {
        let folder = try TemporaryFolder()
        let path = program.hasPrefix("/") ? program : folder.file(program)
        let error = await #expect(throws: RigError.self) {
            _ = try await launcher.run([path], log: folder.file("log")) { _ in }
        }
        #expect(error?.status == .unavailable)
        #expect(error?.message.hasSuffix("build it, or check its path") == true)
    }

    /// The launch time used to be noted only once the rig was scheduled again.
    ///
    /// On a busy machine a row had a first byte 8 ms before its worker's launch, and the run
    /// could not be read any more.
    @Test func aLaunchBeginsBeforeItsProcess() async throws {
        let folder = try TemporaryFolder()
        let log = folder.file("log")
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<16 {
                group.addTask {
                    let wait = ["/bin/sleep", "1000"]
                    let late = try? await launcher.run(wait, log: log) { worker in
                        defer { worker.kill() }
                        let ago = (ContinuousClock.now - worker.launched).seconds
                        // The kernel counts hundredths of a second.
                        let age = ProcessFacts(of: worker.processID).map {
                            Double(ProcessFacts.now - $0.started) / 100
                        }
                        return age.map { $0 - ago }
                    }.observed
                    #expect(late.flatMap(\.self).map { $0 < 0.02 } == true)
                }
            }
            // A task that waits for a thread of Swift's pool gets one late.
            for _ in 0..<200 { group.addTask { Pause.seconds(0.005) } }
        }
    }

    /// A wait for a worker sleeps, and wakes as soon as the worker has ended.
    @Test(.timeLimit(.minutes(1))) func theEndOfAWorkerEndsTheWait() async throws {
        let folder = try TemporaryFolder()
        let lives = try await launcher.run(["/bin/cat"], log: folder.file("log")) { worker in
            let ending = ProcessEnding(of: worker.processID)
            ending.wait(atMost: 60)
            let isOver = !worker.isAlive
            // The worker has ended already, so a second wait returns at once.
            ending.wait(atMost: 60)
            return !isOver
        }
        #expect(!lives.observed)
    }

    /// Without the signal to the group, this test used to wait forever for the orphan.
    ///
    /// It passed once the orphan was ended by hand.
    @Test func theWholeGroupDies() async throws {
        let folder = try TemporaryFolder()
        let note = folder.file("child")
        let script = "sleep 1000 & echo $! > \(note).tmp; mv \(note).tmp \(note); wait"
        _ = try await launcher.run(["/bin/sh", "-c", script], log: folder.file("log")) { worker in
            worker.waits("its child is there") { FileManager.default.fileExists(atPath: note) }
            worker.kill()
        }
        let text = try String(contentsOfFile: note, encoding: .utf8)
        let child = try #require(pid_t(text.trimmingCharacters(in: .whitespacesAndNewlines)))
        // The orphan is reaped by init a moment later; a zombie no longer runs anything.
        func isRunning() -> Bool {
            guard kill(child, 0) == 0 else { return false }
            let status = try? String(contentsOfFile: "/proc/\(child)/stat", encoding: .utf8)
            return status.map { !$0.contains(") Z ") } ?? false
        }
        defer { if isRunning() { kill(child, SIGKILL) } }
        try await eventually("the child of the killed worker is gone", within: .seconds(20)) {
            !isRunning()
        }
    }

    @Test func outputAndEnvironmentReachTheirPlaces() async throws {
        let folder = try TemporaryFolder()
        let script = "echo $RIG_TEST $MORE; echo to stderr >&2"
        _ = try await launcher.run(
            ["/bin/sh", "-c", script], log: folder.file("log"), variables: ["MORE": "one"]
        ) { waitForEnd($0) }
        let log = try String(contentsOfFile: folder.file("log"), encoding: .utf8)
        #expect(log == "all one\nto stderr\n")
        #expect(WorkerLog.tail(folder.file("log")) == "to stderr")
    }
}

/// The kill controller against a real process; the test writes its witness page.
struct KillControllerTests {
    private func killWorker(
        _ trigger: Trigger, writing: @escaping @Sendable (WitnessWriter) -> Void,
        patienceSeconds: Double = 60, command: [String] = ["/bin/sleep", "1000"]
    ) async throws -> (death: Death, observed: Milestones) {
        let folder = try TemporaryFolder()
        let writer = try WitnessWriter(path: folder.file("witness"))
        let controller = KillController(
            planned: PlannedKill(kill: 1, trigger: trigger, delaySeconds: 0),
            uninterruptedSeconds: 0.05, watch: try WitnessWatch(path: folder.file("witness")),
            stallDetector: StallDetector(seconds: patienceSeconds, interruption: Interruption()))
        return try await WorkerLauncher(environment: [:]).run(command, log: folder.file("log")) {
            writing(writer)
            return controller.killWorker($0)
        }
    }

    @Test func thePlannedByteIsStruck() async throws {
        let result = try await killWorker(.bytes(1000)) { writer in
            writer.begin(url: "u", start: 0)?.receive(1000)
        }
        #expect(result.death == .signaled(SIGKILL))
        #expect(result.observed.sent)
    }

    /// A probe of bytes 0–1 and the next request take the same two bytes twice.
    ///
    /// The planned byte counts positions, not bytes on the wire.
    @Test func bytesTakenTwiceCountOnce() async throws {
        let result = try await killWorker(
            .bytes(1000),
            writing: { writer in
                writer.begin(url: "u", start: 0)?.receive(2)
                writer.begin(url: "u", start: 0)?.receive(998)
            }, patienceSeconds: 0.2)
        #expect(!result.observed.sent)
        #expect(result.death == .signaled(SIGKILL), "a worker that is stuck must not live on")
    }

    @Test func theClockStartsWithTheFirstByte() async throws {
        let result = try await killWorker(.time(0.5)) { $0.begin(url: "u", start: 0)?.receive(1) }
        let seen = result.observed
        let seconds = try #require(seen.secondsSinceFirstByte)
        #expect(seconds >= 0.025)
        let (first, kill) = (try #require(seen.firstByte), try #require(seen.killSeconds))
        #expect(abs(first + seconds - kill) < 1e-6)
    }

    /// A page of impossible values crashed the rig while it waited for the planned byte.
    @Test func impossibleFiguresDoNotEndTheRig() async throws {
        let result = try await killWorker(.bytes(1000)) { writer in
            let request = writer.begin(url: "u", start: .max >> 1)
            request?.receive(.max)
            request?.acknowledge(upTo: .max)
            writer.begin(url: "u", start: 0)?.receive(1000)
        }
        #expect(result.observed.sent)
    }

    /// An export moves no byte of the witness, and used to be taken for a stall.
    @Test func growingFilesAreProgress() throws {
        let sizes = Mutex<UInt64>(1)
        let stallDetector = StallDetector(
            seconds: 0, interruption: Interruption(), bytesOnDisk: { sizes.withLock { $0 } })
        var stall = stallDetector.begin(7)
        #expect(!stallDetector.isExhausted(&stall, progress: 7))
        sizes.withLock { $0 = 2 }
        #expect(!stallDetector.isExhausted(&stall, progress: 7))
        #expect(stallDetector.isExhausted(&stall, progress: 7))
    }

    /// A process that a worker had left behind wrote into a file of full length, and was gone before
    /// it was looked for: lengths alone did not show that the work had gone on.
    @Test func aWriteThatChangesNoLengthIsSeen() throws {
        let place = try TemporaryFolder()
        let folder = try IterationFolder(creating: place.file("iteration"))
        let file = "\(folder.state)/part"
        try Data([1, 2, 3]).write(to: URL(fileURLWithPath: file))
        // The clock of a file system advances in steps of some milliseconds.
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSince1970: 0)], ofItemAtPath: file)
        let before = folder.lastChanges
        #expect(folder.fileChanged(since: before) == nil)
        let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: file))
        try handle.write(contentsOf: Data([9]))
        try handle.close()
        #expect(folder.fileChanged(since: before) == file)
        let written = folder.lastChanges
        try FileManager.default.removeItem(atPath: file)
        #expect(folder.fileChanged(since: written) == file)
    }

    @Test func aWorkerThatEndedByItselfIsNotStruck() async throws {
        let result = try await killWorker(
            .bytes(1000), writing: { _ in }, command: ["/bin/sh", "-c", "exit 0"])
        #expect(result.death == .exited(0))
        #expect(!result.observed.sent)
    }
}
