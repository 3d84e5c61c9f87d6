import Foundation
import Testing
import TestSupport

extension EndToEndTests {
    /// The programs where the system gives them no more threads, or no more descriptors.
    @Suite struct ShortageTests {
        /// A user that has no other processes, whose limit therefore is the program's alone.
        private static let user = "54321"

        /// Runs a program as a user that may have so many threads.
        private func run(
            _ program: String, _ words: [String], threads: Int, in place: Workplace
        ) async throws -> Programs.Outcome {
            try FileManager.default.setAttributes(
                [.posixPermissions: 0o777], ofItemAtPath: place.url.path)
            return try await Programs.run(
                "/usr/bin/setpriv",
                [
                    "--reuid", Self.user, "--clear-groups", "--inh-caps=-all", "prlimit",
                    "--nproc=\(threads)", program,
                ] + words, in: place.url)
        }

        /// `fetch`, `plan` and `kill-test` hung for ever, and said nothing: Dispatch tries again
        /// every second, and Foundation's threads drop their work.
        @Test(
            .enabled(if: geteuid() == 0, "running as another user needs root"),
            arguments: [
                ("downloader", ["fetch", "http://127.0.0.1:9/film", "--cache", "cache"], 1),
                ("downloader", ["proxy", "--cache", "cache"], 1),
                ("downloader", ["proxy", "--cache", "cache"], 3),
                ("rig", ["plan", "--iterations", "2"], 1),
                ("rig", ["plan", "--iterations", "2"], 3),
                ("rig", ["kill-test", "--iterations", "1", "--video-size", "1MB"], 1),
                ("rig", ["kill-test", "--iterations", "1", "--video-size", "1MB"], 4),
                ("rig", ["serve", "--video-size", "1MB"], 2),
            ])
        func withoutThreadsIsAnError(program: String, words: [String], threads: Int) async throws {
            let place = try Workplace()
            let outcome = try await run(
                "\(Programs.folder)/\(program)", words, threads: threads, in: place)
            // Either it is over at once, or the test's own patience ends it by a signal.
            #expect(outcome.exitCode == 70, "\(outcome.output)\(outcome.complaint)")
            #expect(outcome.complaint.contains("no thread can be started"), "\(outcome.complaint)")
            #expect(outcome.complaint.contains("ulimit -u"), "\(outcome.complaint)")
        }

        /// The proxy, and the origin too, were ended by a signal once idle connections had used up the
        /// descriptors: any local program could do that, without the key.
        @Test(
            arguments: [
                ("downloader", ["proxy", "--cache", "cache", "--quiet"]),
                ("rig", ["serve", "--video-size", "1MB", "--quiet"]),
                (
                    "rig",
                    ["serve", "--video-size", "1MB", "--quiet", "--origin-fault", "latency:1ms"]
                ),
            ], [128, 300])
        func idleConnectionsEndNothing(server: (String, [String]), limit: Int) async throws {
            let place = try Workplace()
            let outcome = try await Programs.run(
                "/usr/bin/prlimit",
                ["--nofile=\(limit)", "\(Programs.folder)/\(server.0)"] + server.1, in: place.url
            ) { child in
                let url = try #require(URL(string: try await servedURL(in: place)))
                let port = UInt16(try #require(url.port))
                let status = try await offPool {
                    // The client's end of each lies in this process, which has room for them.
                    let idle = try (0..<limit + 100).map { _ in try SocketClient(port: port) }
                    let reply = try SocketClient(port: port).exchange("GET", url.path)
                    // The oldest has gone.
                    #expect(try idle[0].read(1).isEmpty)
                    return reply.status
                }
                #expect([200, 308].contains(status))
                #expect(kill(child, SIGTERM) == 0)
            }
            #expect(outcome.signal == nil, "\(outcome.complaint)")
            #expect(outcome.exitCode == (server.0 == "rig" ? 0 : 143), "\(outcome.complaint)")
        }
    }
}
