import FixtureOrigin
import Fixture
import Foundation
import RigLab
import RigModel
import RigVerdict
import Testing

/// Workers that fail by themselves: each fails its run, with a named checker.
///
/// They used to prove nothing, in up to half of the rows, and their runs passed.
@Suite struct OwnFailureTests {
    private let place = Workplace()

    /// A script for the first life of each state; `$n` is its number over all of them.
    ///
    /// The URL is in `$1`, the state folder in `$2`, the file to complete in `$3`. Life 1 is
    /// the unharmed one, before the run's first kill.
    private static func script(_ life: String) -> String {
        """
        if [ ! -e "$2/seen" ]; then
            n=$(($(cat "$4" || echo 0) + 1)); echo $n > "$4"; : > "$2/seen"
            \(life)
        fi
        exec curl -sS -C - -o "$3" "$1"
        """
    }

    private func run(
        _ life: String, _ options: String..., exits code: Int32,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> [IterationRow] {
        let profile = try place.profile(
            ["/bin/sh", "-c", Self.script(life), "sh", "{url}", "{dir}", "{output}"]
                + [place.path("count")])
        // The launches are counted, so they come one after the other.
        try await place.killTest(
            options, "--video-size", "3MB", "--seed", "5", "--jobs", "1", "--worker", profile,
            exits: code, sourceLocation: sourceLocation)
        return try place.rows()
    }

    private static let part = "curl -sS -r 0-99999 -o \"$2/part\" \"$1\""

    @Test(arguments: [
        ("case $(($n % 5)) in 2 | 4) \(part); kill -KILL $$;; esac", Checker.crash),
        ("case $(($n % 5)) in 2 | 4) \(part); exit 0;; esac", .exit),
    ])
    func oneThatDiesInTwoOfFiveFirstLives(life: String, checker: Checker) async throws {
        let rows = try await run(
            life, "--iterations", "5", "--trigger", "bytes", "--at", "1MB", exits: 99)
        #expect(rows.count { $0.checkers == [checker] } == 2, "\(rows.map(\.reason))")
    }

    /// No kill was planned, but the worker failed.
    @Test func oneThatIsSparedAndFails() async throws {
        let rows = try await run(
            "[ $n != 5 ] || kill -SEGV $$", "--iterations", "3", "--trigger", "time", "--at",
            "never", exits: 99)
        #expect(rows.contains { $0.checkers == [.crash] })
    }

    /// A life that makes fewer calls than its kill needs is repeated, up to twenty times.
    ///
    /// An error in one of those lives used to go unnoticed.
    @Test(arguments: [
        ("kill -SEGV $$", Checker.crash),
        ("curl -sS -o \"$3\" \"$1\"; printf x >> \"$3\"; exit 0", .exit),
    ])
    func oneThatFailsInALifeThatIsBegunAnew(fault: String, checker: Checker) async throws {
        let rows = try await run(
            "[ $n != 6 ] || { \(fault); }; rm -f \"$3\"", "--iterations", "1", "--trigger",
            "syscall", "--at", "100000", exits: 99)
        let row = try #require(rows.first)
        #expect(row.checkers.contains(checker), "\(row.reason)")
        // The first was unharmed, before the kills.
        #expect(row.attempts == 5)
    }

    /// All lives of an iteration with a player.
    ///
    /// They are an unharmed one that times its kill, the killed one, one without the network,
    /// and the last.
    @Test(arguments: [
        (1, "in a launch without a kill"), (2, "the worker before its kill"),
        (3, "relaunched without the network"), (4, "ended the relaunched worker"),
    ])
    func aProxyThatCrashesInAnyLife(number: Int, words: String) async throws {
        let honest = try Programs.worker()
        let proxy = try #require(honest.proxy)
        let script = """
            count="$0"; n=$(($(cat "$count" || echo 0) + 1)); echo $n > "$count"
            [ $n != \(number) ] || kill -SEGV $$
            exec "$@"
            """
        let worker = WorkerProfile(
            name: "planted", command: honest.command, export: honest.export,
            writesWitness: true, proxy: ["/bin/sh", "-c", script, place.path("count")] + proxy,
            inspection: honest.inspection)
        let video = Resource(
            source: try FixtureVideo(seed: 1, length: 4 << 20), bytesPerSecond: 64_000_000)
        let judgement = Judge.judge(
            try await LaboratorySettings(
                RunSpec(workload: .playback), worker: worker, resources: [video],
                fileName: "fixture.mp4", scratch: place.path("scratch"), environment: [:]
            ).oneKill(at: .time(0.4), threshold: 256 << 10))
        #expect(judgement.verdict == .fail)
        let crashes = judgement.findings.filter { $0.checker == .crash }.map(\.detail)
        #expect(crashes.count == 1)
        #expect(crashes.first?.contains(words) == true, "\(judgement.reason)")
    }
}
