import Fixture
import FixtureOrigin
import Foundation
import Glibc
import RigLab
import RigModel
import RigReport
import RigVerdict
import TestSupport
import Testing

/// Deaths other than a forced quit (T9), and deaths that the rig did not cause.
@Suite struct DeathTests {
    private let place = Workplace()

    static let faults: [Fault] = [.sigkill, .abort, .segv, .oom]

    /// Without a writable memory controller one fault cannot be tested; its own tests are skipped.
    private static let canRunOut = (try? MemoryGroups.check()) != nil
    static let mortal = faults.filter { $0 != .oom || canRunOut }

    @Test(arguments: Nightly.cases(mortal.dropFirst().reversed(), usual: 2))
    func aDeathCostsNoMoreThanAForcedQuit(_ fault: Fault) async throws {
        let iterations = Nightly.rounds(8, nightly: 64)
        try await place.killTest(
            [
                "--fault", fault.rawValue, "--iterations", "\(iterations)",
                "--seed", "\(Nightly.seed(71))",
                "--thresholds", "256KB,1MB", "--set", "storage=file",
                // Keeps lives of a fifth of a second from ending before their kills on a busy
                // machine.
                "--bandwidth", "50MB/s",
                // The inconclusive kills are checked below, over both policies together.
                "--gate", "inconclusive_percent <= 25",
            ], exits: 0)
        let rows = try place.rows(2 * iterations)
        rows.all { $0.fault == fault.rawValue && $0.verdict != .fail }
        let passed = rows.filter { $0.verdict == .pass }
        #expect(passed.count * 8 >= rows.count * 7, "\(rows.map(\.reason))")
        for row in passed { #expect(try #require(row.lostBytes) <= (row.thresholdBytes ?? 0)) }
    }

    /// How a planted worker ends by itself, and the checker that reports it.
    struct OwnDeath: CustomTestStringConvertible {
        let script: String
        let death: Death
        let checker: Checker

        var testDescription: String { script }

        init(_ script: String, _ death: Death, _ checker: Checker) {
            (self.script, self.death, self.checker) = (script, death, checker)
        }
    }

    /// Under a forced quit an exit, and under each fault the death that it causes.
    ///
    /// `LifeCheckersTests` judges every death under every fault.
    static let uninvited: [(Fault, OwnDeath)] = {
        let killed = OwnDeath("kill -KILL $$", .signaled(9), .crash)
        let all: [(Fault, OwnDeath)] = [
            (.sigkill, OwnDeath("exit 3", .exited(3), .exit)), (.sigkill, killed),
            (.abort, OwnDeath("kill -ABRT $$", .signaled(6), .crash)),
            (.segv, OwnDeath("kill -SEGV $$", .signaled(11), .crash)), (.oom, killed),
        ]
        return all.filter { mortal.contains($0.0) }
    }()

    /// A worker that dies during its download, as if by its own bug, fails its row.
    ///
    /// That holds whichever fault was planned, even the same one. The row used to prove
    /// nothing, and a worker that died so in 40 % of its lives passed.
    @Test(arguments: uninvited)
    func anUninvitedDeathIsAFinding(_ fault: Fault, own: OwnDeath) async throws {
        let video = try FixtureVideo(seed: 1, length: 4 << 20)
        let honest = try Programs.worker()
        // It downloads until half a megabyte is saved, and dies; the origin sends for two seconds.
        let script = """
            "$@" &
            until [ "$(du -sk "$0" | cut -f1)" -gt 512 ]; do sleep 0.01; done
            \(own.script)
            """
        let worker = WorkerProfile(
            name: "planted", command: ["/bin/sh", "-c", script, "{dir}"] + honest.command,
            export: nil, inspection: honest.inspection)
        let evidence = try await LaboratorySettings(
            RunSpec(fault: fault), worker: worker,
            resources: [Resource(source: video, bytesPerSecond: 2_097_152)],
            fileName: "fixture.mp4", scratch: place.path("scratch"), environment: [:]
        ).oneKill(at: .bytes(4_000_000), threshold: 256 << 10)
        #expect(evidence.death == own.death)
        #expect(!evidence.killSent)
        let judgement = Judge.judge(evidence)
        let life = try #require(evidence.lives.first { $0.life == .struck })
        let details = judgement.findings.filter { $0.checker == own.checker }.map(\.detail)
        // Another test on this machine may run out of memory meanwhile.
        if own.death != .signaled(9) || life.memoryKills == 0 {
            #expect(judgement.verdict == .fail)
            #expect(details.contains { $0.hasSuffix("before its kill") }, "\(judgement.reason)")
        }
        #expect(judgement.figures.received?.isEmpty == false, "it died before its work")
    }

    /// The control group of a killed rig used to stay behind, empty.
    @Test(.enabled(if: canRunOut, "no memory controller can be written to"))
    func aKilledRigLeavesNoControlGroup() async throws {
        let outcome = try await Programs.run(
            Programs.rig,
            [
                "kill-test", "--out", "run", "--fault", "oom", "--iterations", "500",
                "--bandwidth", "20MB/s", "--trigger", "bytes",
            ], in: place.url
        ) { rig in
            try await eventually("a group is there and rows are") {
                try !Self.groups(of: rig).isEmpty && (try? place.rows().isEmpty) == false
            }
            #expect(kill(rig, SIGKILL) == 0)
            try await eventually("the group is gone") { try Self.groups(of: rig).isEmpty }
        }
        #expect(outcome.signal == SIGKILL)
    }

    private static func groups(of rig: pid_t) throws -> [String] {
        // The rig's groups are below its own group, which is also that of this process.
        let own = try String(contentsOfFile: "/proc/self/cgroup", encoding: .utf8)
            .split(separator: "\n").map { $0.split(separator: ":", maxSplits: 2) }
        let folders = own.filter { $0.count == 3 || $0.count == 2 }.compactMap { line in
            line.count == 2
                ? "/sys/fs/cgroup\(line[1])"
                : line[1] == "memory" ? "/sys/fs/cgroup/memory\(line[2])" : nil
        }
        return folders.flatMap {
            (try? FileManager.default.contentsOfDirectory(atPath: $0)) ?? []
        }.filter { $0.hasPrefix("rig-\(rig)-") }
    }
}
