import Fixture
@testable import FixtureOrigin
import Foundation
@testable import RigLab
import RigModel
import TestSupport
import Testing

/// Real programs, killed while they run, and counted afterwards.
///
/// A worker used to be stopped before its kill, up to fifty times, until its page and the
/// kernel agreed. Each resumption delayed the kill, often into a commit: of 50 timed kills 41
/// landed in commits.
@Suite(.serialized) struct KillThenCountTests {
    /// So large that even on a busy machine no program has all of it before its kill.
    private static let length: Int64 = 128 << 20

    /// What a program has taken when it is killed at this many bytes, and what it has written.
    private func kill(
        _ script: String, at bytes: Int64, by fault: Fault = .sigkill, connections: Int = 1,
        held: Bool = false, encrypted: Bool = false
    ) async throws -> (death: Death, taken: ByteRanges?, active: Int?, file: Int64) {
        let folder = try TemporaryFolder()
        let authority = encrypted ? try CertificateAuthority() : nil
        let certificates = folder.file("authority.pem")
        try authority?.pem.write(toFile: certificates, atomically: true, encoding: .utf8)
        let origin = try authority.map { try FixtureOrigin(certifiedBy: $0) } ?? FixtureOrigin()
        try await origin.start()
        let mount = origin.mount(
            Resource(source: try FixtureVideo(seed: 1, length: Self.length)), at: "/1/v.mp4")
        if held { mount.hold(afterDistinctBytes: bytes) }
        let ledger = SocketLedger(origin: origin, mounts: FollowedMounts([mount]) { _ in 0 })
        let launcher = WorkerLauncher(environment: [
            "URL": mount.url, "OUT": folder.file("out"), "CA": certificates,
        ])
        let (death, moment) = try await launcher.run(
            ["/bin/sh", "-c", script], log: folder.file("log")
        ) { worker -> ContinuousClock.Instant? in
            defer { worker.kill() }
            // The origin needs a core too, so the looks are spaced.
            let isThere: ()? = try? blockUntil("so much is taken", every: .microseconds(50)) {
                let taken = ledger.glance
                return taken.bodies >= connections && taken.received.count >= bytes
            }
            guard isThere != nil else { return nil }
            let moment = ContinuousClock.now
            _ = FaultInjector(fault, for: worker).killWorker(worker)
            return moment
        }
        let reading = await onOwnThread { ledger.reading(ofDead: true) }
        let active = ledger.activeRequests(at: try #require(moment))
        await origin.stop()
        let facts = try? FileManager.default.attributesOfItem(atPath: folder.file("out"))
        let size = (facts?[.size] as? NSNumber)?.int64Value ?? 0
        return (death, reading.received, active, size)
    }

    /// At full speed, curl writes each read at once.
    ///
    /// It has taken what is in its file, and at most one more read.
    @Test(arguments: [1, 4, 7, 10])
    func theCountIsExactToTheReadInHand(tenth: Int64) async throws {
        let end = try await kill("exec curl -sS -N -o $OUT $URL", at: tenth * 700_000)
        let taken = try #require(end.taken)
        #expect(end.death == .signaled(SIGKILL))
        #expect(taken == ByteRanges([0..<taken.count]))
        #expect((end.file...end.file + 102_400).contains(taken.count))
        #expect(end.active == 1)
    }

    /// Programs over TLS, with what they may have in hand: a record.
    private static let encrypted: [(script: String, hand: Int64)] = [
        ("exec curl -sS -N --cacert $CA -o $OUT $URL", 16_384),
        ("exec wget -q --no-config --ca-certificate=$CA -O $OUT $URL", 16_384),
        (
            "exec aria2c -q --no-conf --ca-certificate=$CA --disk-cache=0"
                + " --file-allocation=none -d / -o $OUT $URL", 16_384
        ),
    ]

    /// Over TLS a program has what it could decrypt: the records that it has taken as a whole.
    ///
    /// Each writes at once what it reads, so its file shows what it had.
    @Test(arguments: encrypted, [1, 5])
    func theCountIsExactOverTLS(program: (script: String, hand: Int64), fifth: Int64) async throws {
        let end = try await kill(program.script, at: fifth * 1_400_000, encrypted: true)
        let taken = try #require(end.taken)
        #expect(end.death == .signaled(SIGKILL))
        #expect(taken == ByteRanges([0..<taken.count]))
        #expect((end.file...end.file + program.hand).contains(taken.count))
        #expect(end.active == 1)
    }

    /// The origin holds back at a byte, and exactly so many can be decrypted.
    @Test func aHeldByteIsTheLastThatIsDecrypted() async throws {
        let end = try await kill(
            "exec curl -sS -N --cacert $CA -o $OUT $URL", at: 333_333, held: true, encrypted: true)
        #expect(end.taken == ByteRanges([0..<333_333]))
    }

    /// The processes that a worker starts die with it, and what they take counts as its own.
    @Test func childrenAreCounted() async throws {
        let script = """
            (curl -sS -N -r 0-499999 -o /dev/null $URL; true) &
            (curl -sS -N -r 100000- -o /dev/null $URL; true) & wait
            """
        let end = try await kill(script, at: 300_000, connections: 2, held: true)
        #expect(end.taken?.count == 300_000)
        #expect(end.active == 2)
    }

    /// A program that is not stopped first dies of its planned fault.
    @Test(arguments: [Fault.sigkill, .abort, .segv])
    func aProgramDiesOfItsFault(fault: Fault) async throws {
        let end = try await kill("exec curl -sS -N -o /dev/null $URL", at: 100_000, by: fault)
        #expect(end.death == .signaled(fault.signal))
        #expect(end.taken != nil)
    }
}
