import Foundation
import RigLab
import RigModel
import RigReport
import RigVerdict
import Testing

@testable import RigRun

struct RunSettingsTests {
    private func plan(_ settings: RunSettings) throws -> KillPlan {
        try settings.plan(video: try #require(try settings.video.local()))
    }

    private func pinned(_ text: String, by kind: TriggerKind) throws -> RunSettings {
        var settings = try settings()
        (settings.trigger, settings.pinned) = (kind, PinnedMoment(text))
        return settings
    }

    /// What says where and when a run is made does not change what is done.
    @Test func equalSeedsGiveEqualPlans() throws {
        var elsewhere = try settings()
        elsewhere.jobs = 2
        elsewhere.out = "elsewhere"
        elsewhere.partition = RunPartition(index: 1, of: 2)
        elsewhere.command = ["rig", "kill-test", "--jobs", "2"]
        #expect(try plan(elsewhere) == plan(settings()))
        #expect(try plan(settings(seed: 8)) != plan(settings()))
    }

    /// A program that spoiled its file there passed a hundred kills by bytes and by the clock.
    @Test func aDefaultRunHasFiveOfAHundredKillsAtTheEndOfTheWork() throws {
        func ends(_ settings: RunSettings) throws -> Int {
            try plan(settings).schedule.count { $0.first.endingShare != nil }
        }
        #expect(try ends(settings(iterations: 100, worker: "curl")) == 5)
        #expect(try ends(settings(iterations: 10, worker: "curl")) == 1)
        // The reference downloader has saved by then what it has received.
        #expect(try ends(settings(iterations: 100)) == 0)
        // A disk that is full by then is seldom in the way.
        var full = try settings(iterations: 100, worker: "curl")
        full.fault = .diskFull
        #expect(try ends(full) == 0)
    }

    /// With a full disk the end that was asked for was left out without a word.
    @Test(arguments: [Fault.sigkill, .diskFull])
    func theEndThatIsAskedForIsThere(fault: Fault) throws {
        var end = try pinned(Trigger.end, by: .time)
        end.fault = fault
        let plan = try plan(end)
        #expect(plan.schedule.allSatisfy { $0.first.endingShare != nil })
        #expect(plan.at == Trigger.end)
    }

    /// Kills of a chain, or beside a player, came all over the work instead.
    @Test func anEndThatThePlanCannotHaveIsRefused() throws {
        var chain = try pinned(Trigger.end, by: .time)
        chain.kills = 2
        var player = try pinned(Trigger.end, by: .time)
        player.workload = .playback
        for settings in [chain, player] {
            let message = refusal(.usage) { _ = try plan(settings) }
            #expect(message?.hasPrefix("--at end is about") == true, "\(message ?? "accepted")")
        }
    }

    @Test func theManifestHasThePlanAndItsPartOfTheSchedule() throws {
        let runs = try RunsFolder()
        var part = try settings(thresholds: [256 << 10, nil])
        part.partition = RunPartition(index: 2, of: 2)
        let manifest = try runs.store("part", part).manifest
        let whole = try plan(part)
        #expect(manifest.plan == whole)
        #expect(
            manifest.schedule
                == [2, 4].flatMap { index in
                    whole.policies.map { whole.iteration(index, policy: $0) }
                })
        #expect(manifest.startedAt == "1970-01-01T00:00:00Z")
    }

    @Test(arguments: [
        (TriggerKind.bytes, "2MB", Trigger.bytes(2 << 20)),
        (.bytes, "2MB:flowing", .flowing(2 << 20)), (.time, "25%", .time(0.25)),
        (.time, "never", .never), (.phase, "committing", .phase(.committing)),
    ])
    func aPinnedMomentIsThatOfEveryIteration(
        kind: TriggerKind, text: String, moment: Trigger
    ) throws {
        let pinned = try pinned(text, by: kind)
        let plan = try plan(pinned)
        #expect(plan.schedule.allSatisfy { $0.first.trigger == moment })
        #expect(pinned.sparesWorkers == (moment == .never))
    }

    /// A short video has half of its kills while bytes flow, too, where the last bytes are named.
    @Test func killsAreDrawnOverTheLastBytesBeforeAnAmount() throws {
        var spread = try pinned("512KB..1MB", by: .bytes)
        spread.iterations = 40
        spread.video = .fixture(length: 2 << 20)
        let plan = try plan(spread)
        #expect(plan.pinned == nil && plan.at == "512KB..1MB")
        let kills = plan.schedule.map(\.first.trigger)
        #expect(kills.allSatisfy { $0.kind == .bytes } && Set(kills).count == kills.count)
        #expect(kills.contains { $0.heldBytes == nil } && kills.contains { $0.heldBytes != nil })
    }

    @Test(arguments: [
        (TriggerKind.bytes, "1MB..3MB"), (.bytes, "1MB..512KB"), (.bytes, "1MB..2MB:flowing"),
        (.time, "1MB..2MB"),
    ])
    func aWindowThatDoesNotFitIsRefused(kind: TriggerKind, text: String) throws {
        var spread = try pinned(text, by: kind)
        spread.video = .fixture(length: 3 << 20)
        #expect {
            try self.plan(spread)
        } throws: {
            ($0 as? RigError)?.message.contains("--at \(text) does not fit") == true
        }
    }

    /// Without a limit curl has its video before a kill by the clock can arrive.
    @Test(arguments: [
        ("curl", Int64(3 << 20), TriggerKind.random, Int64(20 << 20) as Int64?),
        ("curl", 1 << 30, .time, 2 << 30), ("curl", 3 << 20, .syscall, nil),
        ("rsync", 3 << 20, .time, nil), ("downloader", 3 << 20, .random, nil),
    ])
    func aProgramIsSentItsVideoInHalfASecondOrMore(
        worker: String, length: Int64, trigger: TriggerKind, pace: Int64?
    ) throws {
        var settings = try settings(worker: worker)
        settings.trigger = trigger
        #expect(settings.pace(length: length) == pace)
        settings.bandwidth = 1 << 20
        #expect(settings.pace(length: length) == 1 << 20)
    }

    @Test(arguments: [
        (TriggerKind.bytes, "10MB", "give a size from 1 to 10485759 bytes"),
        (.time, "1.5", "give a fraction between 0 and 1"), (.phase, "sleeping", "give one of"),
        (.phase, "evicting", "cannot be killed in"),
    ])
    func aMomentThatThePlanCannotHaveIsRefused(
        kind: TriggerKind, text: String, says: String
    ) throws {
        let pinned = try pinned(text, by: kind)
        let message = refusal(.usage) { _ = try plan(pinned) }
        #expect(message?.contains(says) == true, "\(message ?? "accepted")")
    }

    @Test(arguments: [
        ("violation_rate.ucb95 < 1%", false, "needs >= 299 iterations"),
        ("violation_rate.ucb95 < 1%", true, nil), ("2MB:violations == 0", false, "no policy 2MB"),
    ])
    func gatesAreCheckedAgainstTheMostThatTheRunCanShow(
        gate: String, isExhaustive: Bool, says: String?
    ) throws {
        var settings = try settings()
        settings.trigger = .syscall
        settings.isExhaustive = isExhaustive
        settings.gates = [try Gate(gate)]
        let message = refusal(.usage) { try settings.checkGates() }
        #expect((message == nil) == (says == nil))
        if let says { #expect(message?.contains(says) == true, "\(message ?? "")") }
    }

    private typealias Change = @Sendable (inout RunSettings) -> Void

    private static let unsupported: [(says: String, change: Change)] = [
        ("--trigger phase needs a worker", { $0.trigger = .phase }),
        ("--workload playback needs a worker", { $0.workload = .playback }),
        ("--port 18080 is the port of one origin", { ($0.jobs, $0.port) = (2, 18_080) }),
        ("nonsense", { $0.values = ["nonsense": "1"] }),
    ]

    /// A program that keeps no page, has no proxy and no placeholder of its own.
    @Test(arguments: unsupported.indices)
    func whatTheWorkerDoesNotSupportIsRefused(index: Int) throws {
        let (says, change) = Self.unsupported[index]
        var settings = try settings(worker: "curl")
        try settings.checkWorker()
        change(&settings)
        let message = refusal(.usage) { try settings.checkWorker() }
        #expect(message?.contains(says) == true, "\(message ?? "accepted")")
    }
}

/// How long the video takes where that is there only to spread kills.
struct PaceTests {
    @Test(
        arguments: [
            ([0.1, 0.1, 0.1, 0.1, 0.1], 0.05),
            // The first and the last one do not count: 20 ms are left.
            ([0.3, 0.1, 0.12, 0.11, 0.01], 0.4),
            ([0.1, 0.2, 0.3, 0.4, 0.5], 0.5),
            ([], nil), ([0.1, 0.2], nil),
        ] as [([Double], Double?)])
    func itIsTwentyTimesTheScatterWithinLimits(starts: [Double], seconds: Double?) {
        let found = KillTest.spread(starts)?.seconds
        #expect((found == nil) == (seconds == nil))
        #expect(abs((found ?? 0) - (seconds ?? 0)) < 1e-9)
    }

    @Test func theStartsThatCountAreSaid() throws {
        let spread = try #require(KillTest.spread([0.3, 0.1, 0.12, 0.11, 0.01]))
        #expect(spread.least == 0.1 && spread.most == 0.12)
    }
}

struct JobFitTests {
    private func warning(jobs: Int, check: ProgramCheck?) -> String? {
        let worker = WorkerProfile(
            name: "server.sh", command: ["server.sh", "{dir}"], check: check)
        return JobFit(jobs: jobs, worker: worker, port: nil).warning
    }

    /// With two jobs both clients of a right server with a fixed port spoke to one of its instances,
    /// and it was blamed.
    @Test func programsThatMayShareAPortAreWarnedOf() {
        let check = ProgramCheck("test -d {dir}")
        #expect(warning(jobs: 2, check: check)?.contains("needs --jobs 1") == true)
        #expect(warning(jobs: 1, check: check) == nil)
        #expect(warning(jobs: 2, check: nil) == nil)
        let worker = WorkerProfile(name: "server.sh", command: ["server.sh"], check: check)
        #expect(JobFit.standard(for: RunSpec(workload: .check), worker: worker) == 1)
    }

    /// Iterations that do not disturb each other are made one per core.
    @Test func aProgramOfOnesOwnHasAsManyAsThereAreCores() {
        func standard(
            server: WorkerServer? = nil, isDocumented: Bool = false, completed: String = "{output}",
            workload: Workload = .download, fault: Fault = .sigkill, port: UInt16? = nil
        ) -> Int {
            var spec = RunSpec(fault: fault, workload: workload)
            spec.port = port
            return JobFit.standard(
                for: spec,
                worker: WorkerProfile(
                    name: "curl", command: ["curl", "-C", "-", "-o", "{output}", "{url}"],
                    server: server, completed: completed, isDocumented: isDocumented))
        }
        let cores = min(Processors.usable, JobFit.most)
        #expect(standard() == cores)
        #expect(standard(fault: .powerCutTorn) == 1 && standard(fault: .powerCut) == 1)
        #expect(standard(fault: .oom) == 1 && standard(fault: .diskFull) == 1)
        #expect(standard(server: WorkerServer(command: ["nginx"])) == 1)
        #expect(standard(isDocumented: true) == 1)
        #expect(standard(workload: .playback) == 1)
        // What they would share.
        #expect(standard(port: 8000) == 1)
        #expect(standard(completed: "/tmp/video") == 1)
    }
}
