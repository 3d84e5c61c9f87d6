import Fixture
import FixtureOrigin
import Foundation
import Testing
import TestSupport

/// The programs where the system gives them no more threads, or no more descriptors.
@Suite struct ShortageTests {
    private let place = Workplace()

    /// A user that has no other processes, whose limit therefore is the program's alone.
    private static let user = "54321"

    /// Runs a program as a user that may have so many threads.
    private func run(_ program: String, _ words: [String], threads: Int) async throws
        -> Programs.Outcome
    {
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
            ("downloader", ["proxy", "--cache", "cache"], 3),
            ("rig", ["plan", "--iterations", "2"], 1), ("rig", ["plan", "--iterations", "2"], 3),
            ("rig", ["kill-test", "--iterations", "1", "--video-size", "1MB"], 4),
            ("rig", ["serve", "--video-size", "1MB"], 2),
        ])
    func withoutThreadsIsAnError(program: String, words: [String], threads: Int) async throws {
        let outcome = try await run("\(Programs.folder)/\(program)", words, threads: threads)
        // Either it is over at once, or the test's own patience ends it by a signal.
        #expect(outcome.exitCode == 70, "\(outcome.output)\(outcome.complaint)")
        outcome.complains("no thread can be started")
        outcome.complains("ulimit -u")
    }

    /// The `pids` controller of this machine's control groups, if a test may make one there.
    private static let group = ["/sys/fs/cgroup/pids", "/sys/fs/cgroup"].first {
        let own = "\($0)/rig-test-\(getpid())"
        defer { rmdir(own) }
        return mkdir(own, 0o755) == 0 && access("\(own)/pids.max", W_OK) == 0
    }

    /// A container limits the processes and threads by its control group.
    @Test(
        .enabled(if: group != nil, "limiting threads needs a control group"),
        arguments: [
            ("downloader", ["proxy", "--cache", "cache"]),
            ("rig", ["kill-test", "--iterations", "1", "--video-size", "1MB"]),
        ])
    func aControlGroupWithoutThreadsIsAnError(program: String, words: [String]) async throws {
        let group = "\(try #require(Self.group))/rig-test-\(UUID())"
        #expect(mkdir(group, 0o755) == 0)
        defer { #expect(rmdir(group) == 0) }
        try Data("3".utf8).write(to: URL(fileURLWithPath: "\(group)/pids.max"))
        try await Programs.run(
            "/bin/sh",
            [
                "-c", "echo $$ > \"$0/cgroup.procs\" && exec \"$@\"", group,
                "\(Programs.folder)/\(program)",
            ] + words, in: place.url, exits: 70, complains: "pids.max")
    }

    /// A proxy that runs already, and lacks a thread for the next player only, says so.
    @Test(.enabled(if: geteuid() == 0, "running as another user needs root"))
    func aPlayerWithoutAThreadIsRefused() async throws {
        // A user of its own: what other tests run as one would count for it.
        let asUser = ["--reuid", "54322", "--clear-groups", "--inh-caps=-all", "prlimit"]
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o777], ofItemAtPath: place.url.path)
        try await withOrigin { origin in
            let video = try MemoryVideo(copying: FixtureVideo(seed: 3, length: 1 << 20))
            let mount = origin.mount(
                Resource(source: video, contentType: "video/mp4", etag: "\"3\""), at: "/film.mp4")
            let outcome = try await Programs.run(
                "/usr/bin/setpriv",
                asUser + ["--nproc=200", Programs.downloader]
                    + ["proxy", "--cache", "cache", "--quiet"], in: place.url
            ) { child in
                let proxy = ProxyProcess(processID: child, address: try await servedURL(in: place))
                let path = try #require(URL(string: try proxy.address(of: mount.url)))
                let target = "\(path.path)?\(path.query(percentEncoded: true) ?? "")"
                let port = try #require(UInt16(proxy.port))
                func limit(_ threads: String) async throws {
                    try await Programs.run(
                        "/usr/bin/setpriv", asUser + ["--pid", "\(child)", "--nproc=\(threads)"],
                        in: place.url, exits: 0)
                }
                func play() async throws -> Reply {
                    try await offPool { try SocketClient(port: port).exchange("GET", target) }
                }
                try await limit("1:200")
                let refusal = try await play()
                #expect(refusal.status == 503)
                let text = String(decoding: refusal.body, as: UTF8.self)
                #expect(text.contains("no thread can be started"), "\(text)")
                try await limit("200:200")
                #expect(try await play().status == 200)
                proxy.send(SIGTERM)
            }
            #expect(outcome.exitCode == 143, "\(outcome.complaint)")
        }
    }

    /// The proxy, and the origin too, were ended by a signal once idle connections had used up the
    /// descriptors: any local program could do that, without the key.
    @Test(
        arguments: [
            ("downloader", ["proxy", "--cache", "cache", "--quiet"], 300),
            ("rig", ["serve", "--video-size", "1MB", "--quiet"], 300),
            (
                "rig",
                ["serve", "--video-size", "1MB", "--quiet", "--origin-fault", "latency:1ms"], 128
            ),
        ])
    func idleConnectionsEndNothing(
        program: String, words: [String], limit: Int
    ) async throws {
        let outcome = try await Programs.run(
            "/usr/bin/prlimit",
            ["--nofile=\(limit)", "\(Programs.folder)/\(program)"] + words, in: place.url
        ) { child in
            let url = try #require(URL(string: try await servedURL(in: place)))
            let port = UInt16(try #require(url.port))
            let path = program == "rig" ? url.path : url.path + "/status.json"
            let status = try await offPool {
                // The client's end of each lies in this process, which has room for them.
                let idle = try (0..<limit + 100).map { _ in try SocketClient(port: port) }
                let reply = try SocketClient(port: port).exchange("GET", path)
                // The oldest has gone.
                #expect(try idle[0].read(1).isEmpty)
                return reply.status
            }
            #expect(status == 200)
            #expect(kill(child, SIGTERM) == 0)
        }
        #expect(outcome.signal == nil, "\(outcome.complaint)")
        #expect(outcome.exitCode == (program == "rig" ? 0 : 143), "\(outcome.complaint)")
    }
}
