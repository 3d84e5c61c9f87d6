import Foundation
import RigModel
import TestSupport
import Testing

extension EndToEndTests {
    /// Workers in which a call fails (T13).
    @Suite struct FailingCallTests {
        private static let options = ["--trigger", "syscall", "--fault", "call-error"]

        @Test(arguments: CallError.allCases)
        func theDownloaderStopsWithAnErrorAndGoesOnAfterwards(error: CallError) async throws {
            let place = try Workplace()
            let iterations = Nightly.rounds(3, nightly: 40)
            let outcome = try await place.killTest(
                Self.options + [
                    "--error", error.rawValue, "--iterations", "\(iterations)", "--video-size",
                    "2MB", "--durability", "power", "--seed", "\(Nightly.seed(91))",
                ])
            #expect(outcome.exitCode == 0, "\(outcome.output)\(outcome.complaint)")
            let rows = try place.rows()
            #expect(rows.count == iterations)
            #expect(
                rows.allSatisfy { $0.verdict == .pass && $0.failedCall != nil },
                "\(rows.map(\.reason))")
        }

        @Test func curlStopsWithAnErrorAndGoesOnAfterwards() async throws {
            let place = try Workplace()
            let outcome = try await place.killTest(
                Self.options + [
                    "--error", "enospc", "--at", "4", "--iterations", "2", "--video-size", "1MB",
                    "--seed", "92", "--worker", "curl-unbuffered",
                ])
            #expect(outcome.exitCode == 0, "\(outcome.output)\(outcome.complaint)")
            for row in try place.rows() {
                let call = try #require(row.failedCall)
                #expect(call.hasPrefix("call 4, write of "), "\(call)")
                #expect(call.hasSuffix("exit code 23"), "\(call)")
            }
        }

        /// A script that does not look at the exit code of what it runs.
        @Test func aFalseSuccessIsFoundAndRepeated() async throws {
            let place = try Workplace()
            let outcome = try await place.killTest(
                Self.options + [
                    "--error", "eio", "--at", "3", "--iterations", "2", "--video-size", "1MB",
                    "--seed", "93", "--", "sh", "-c", #"curl -sS -o "$1" "$0" || true"#, "{url}",
                    "{output}",
                ])
            #expect(outcome.exitCode == 99, "\(outcome.output)\(outcome.complaint)")
            for row in try place.rows() {
                #expect(row.checkers == [.falseSuccess])
                #expect(row.reason.hasPrefix("false-success: call 3, write of "), "\(row.reason)")
            }
            let replay = try await Programs.run(
                Programs.rig, ["replay", "run", "--iteration", "1", "--times", "2"], in: place.url)
            #expect(
                replay.output.contains("reproduced  2 of 2"), "\(replay.output)\(replay.complaint)")
        }

        /// Each call that can fail so, once.
        @Test func everyCallFailsOnce() async throws {
            let place = try Workplace()
            try Data(repeating: 7, count: 100_000).write(
                to: place.url.appendingPathComponent("small.bin"))
            let outcome = try await place.killTest(
                Self.options + [
                    "--error", "fsync-eio", "--exhaustive", "--video", "small.bin", "--durability",
                    "power", "--seed", "94",
                ])
            #expect(outcome.exitCode == 0, "\(outcome.output)\(outcome.complaint)")
            let rows = try place.rows()
            #expect(rows.map(\.planned) == (1...max(1, rows.count)).map { "\($0)" })
            #expect(rows.allSatisfy { $0.verdict == .pass }, "\(rows.map(\.reason))")
        }

        @Test(arguments: [
            (["--error", "eio"], "--fault call-error"),
            (["--fault", "call-error", "--trigger", "syscall"], "--error"),
            (["--fault", "call-error", "--error", "eio"], "--trigger syscall"),
            (options + ["--error", "eio", "--kills", "2"], "--kills"),
            (options + ["--error", "eio", "--at", "3:after"], "':after'"),
            (options + ["--error", "eio", "--sticky", "twice"], "--sticky"),
            (options + ["--error", "eio", "--workload", "playback"], "--workload download"),
        ])
        func whatCannotBeIsRefused(arguments: [String], word: String) async throws {
            let place = try Workplace()
            let outcome = try await place.killTest(arguments)
            #expect(outcome.exitCode == 64, "\(outcome.complaint)")
            #expect(outcome.complaint.contains(word), "\(outcome.complaint)")
        }
    }
}
