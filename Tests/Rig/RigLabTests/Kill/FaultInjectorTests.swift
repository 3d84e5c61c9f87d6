import Foundation
import Glibc
@testable import RigLab
import RigModel
import TestSupport
import Testing

/// Real processes that die of the rig's fault or of something else (T9).
struct FaultInjectorTests {
    static let faults: [Fault] = [.sigkill, .abort, .segv, .oom]

    /// How a worker may die on its own.
    static let ownDeaths: [(script: String, death: Death)] = [
        ("exit 3", .exited(3)), ("kill -KILL $$", .signaled(SIGKILL)),
        ("kill -ABRT $$", .signaled(SIGABRT)), ("kill -SEGV $$", .signaled(SIGSEGV)),
    ]

    /// Larger than a shell, because the kernel's OOM killer takes the larger of two.
    private static let living = [
        "/usr/bin/perl", "-e", "$| = 1; my $x = 'x' x (8 << 20); print qq{up\\n}; sleep 1000",
    ]

    private func run(
        _ command: [String], fault: Fault, patienceSeconds: Double = 60,
        until isReady: @escaping @Sendable (LivingWorker, String) -> Bool
    ) async throws -> (death: Death, observed: Bool) {
        let folder = try TemporaryFolder()
        let log = folder.file("log")
        return try await WorkerLauncher(environment: [:], fault: fault).run(command, log: log) {
            worker in
            let injector = FaultInjector(fault, for: worker, patienceSeconds: patienceSeconds)
            defer { injector.clear() }
            worker.waits("it is ready to die") { isReady(worker, log) }
            return injector.killWorker(worker).sent
        }
    }

    private static func isUp(_ worker: LivingWorker, _ log: String) -> Bool {
        (try? String(contentsOfFile: log, encoding: .utf8))?.contains("up") ?? false
    }

    @Test(arguments: faults)
    func aWorkerDiesOfTheFaultAndOfNothingElse(_ fault: Fault) async throws {
        guard fault != .oom || canLimitMemory else { return }
        let result = try await run(Self.living, fault: fault, until: Self.isUp)
        #expect(result.death == .signaled(fault.signal))
        #expect(result.observed)
        // Other tests have groups of their own meanwhile, even right after a moment without
        // any.
        try await eventually("no group is left") { groupsOfThisProcess == 0 }
    }

    /// Each fault meets each death of another cause.
    ///
    /// The process is already dead at the kill, but can still be sent signals.
    @Test(arguments: faults, ownDeaths.indices)
    func anUninvitedDeathIsNotTakenForOurs(_ fault: Fault, index: Int) async throws {
        guard fault != .oom || canLimitMemory else { return }
        let own = Self.ownDeaths[index]
        let result = try await run(["/bin/sh", "-c", own.script], fault: fault) { worker, _ in
            !worker.isAlive
        }
        #expect(result.death == own.death)
        #expect(!result.observed)
    }

    @Test(arguments: [
        ("trap '' ABRT", 0.2, Death.signaled(SIGKILL)), ("trap 'exit 5' ABRT", 60.0, .exited(5)),
    ])
    func aWorkerThatAnswersTheSignalShowsIt(
        script: String, patienceSeconds: Double, death: Death
    ) async throws {
        let command = ["/bin/sh", "-c", "\(script); sleep 1000 & echo up; wait; wait"]
        let result = try await run(
            command, fault: .abort, patienceSeconds: patienceSeconds, until: Self.isUp)
        #expect(result.death == death)
    }

    /// The kernel used to write a core dump of the crashed worker into its working folder.
    ///
    /// That took longer than the worker's recovery.
    @Test func aCrashLeavesNoImageOfMemory() async throws {
        let resource = __rlimit_resource_t(RLIMIT_CORE.rawValue)
        var limit = rlimit()
        getrlimit(resource, &limit)
        limit.rlim_cur = limit.rlim_max
        setrlimit(resource, &limit)
        Fault.abort.forbidImages()
        let folder = try TemporaryFolder()
        let command = ["/bin/sh", "-c", "cd \(folder.file(".")); echo up; exec sleep 1000"]
        let result = try await run(command, fault: .abort, until: Self.isUp)
        #expect(result.death == .signaled(SIGABRT))
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.file(".")).isEmpty)
    }

    private var canLimitMemory: Bool { (try? MemoryGroups.check()) != nil }

    private var groupsOfThisProcess: Int {
        let folder = MemoryController.own?.folder ?? "/nowhere"
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.count { $0.hasPrefix("rig-\(getpid())-") }
    }
}

/// What `/proc` shows of a process that has begun to exit.
struct ProcessStateTests {
    private static func state(
        _ letter: String, flags: Int, thread: UInt64 = 0, process: UInt64 = 0
    ) -> ProcessState? {
        ProcessState(
            stat: "7 (a) b) \(letter) 1 7 7 0 -1 \(flags) 95 0 0 0 0 0",
            status: "Name:\ta) b\nSigPnd:\t\(String(thread, radix: 16))\n"
                + "ShdPnd:\t\(String(process, radix: 16))\nSigBlk:\tffffffff\n")
    }

    @Test func aProcessThatRunsOrSleepsIsNotDying() throws {
        for letter in ["R", "S", "D", "T"] {
            let state = try #require(Self.state(letter, flags: 0x40_0000, process: 1 << 14))
            #expect(!state.isDying(of: SIGABRT))
        }
    }

    @Test func aProcessOnItsWayOutIsDying() throws {
        let states = [
            Self.state("Z", flags: 0), Self.state("X", flags: 0), Self.state("R", flags: 0x4),
            Self.state("D", flags: 0x200), Self.state("R", flags: 0x400),
            Self.state("S", flags: 0, thread: 1 << 8), Self.state("S", flags: 0, process: 1 << 5),
        ]
        for state in states { #expect(try #require(state).isDying(of: SIGABRT)) }
    }

    @Test(arguments: ["", "7 (a S 1 7", "7 (a) S 1"])
    func otherTextIsNoState(stat: String) {
        #expect(ProcessState(stat: stat, status: "SigPnd:\t0\nShdPnd:\t0\n") == nil)
    }

    @Test func thisProcessIsAlive() throws {
        #expect(try #require(ProcessState(of: getpid())).isDying(of: SIGABRT) == false)
    }
}
