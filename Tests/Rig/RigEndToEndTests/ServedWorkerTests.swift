import Foundation
import RigModel
import RigProfiles
import Testing
import TestSupport

@testable import RigLab

/// A server that is killed with its children while its client requests the video.
@Suite(
    .enabled("nginx is not installed: no caching server is tested") {
        installedServer("nginx") != nil
    })
struct ServedWorkerTests {
    /// The shipped worker, with another server or client in the place of its own.
    static func worker(
        isDaemon: Bool = false, client: [String]? = nil,
        ready: WorkerServer.Readiness = .port, server: [String]? = nil
    ) throws -> ForeignWorker {
        let shipped = try Workers.named("nginx-cache")
            .changingPrograms { installedServer($0) ?? $0 }
            .changingTexts { isDaemon ? $0.replacing("daemon off;", with: "daemon on;") : $0 }
        let own = try #require(shipped.server)
        return ForeignWorker(
            profile: WorkerProfile(
                name: shipped.name, command: client ?? shipped.command,
                server: WorkerServer(command: server ?? own.command, ready: ready),
                files: shipped.files, environment: ["MARKED": "{port}"]),
            videoLength: 8 << 20, bytesPerSecond: 16_000_000)
    }

    @Test(arguments: [WorkerServer.Readiness.port, .url("http://127.0.0.1:{port}/nothing/here")])
    func unharmedItServesTheVideo(ready: WorkerServer.Readiness) async throws {
        let place = Workplace()
        #expect(try await Self.worker(ready: ready).objection(in: place) == nil)
        #expect(try place.processes().isEmpty)
    }

    @Test func killsAreAccountedForAndNothingIsLeft() async throws {
        let place = Workplace()
        for byte in [1, 7_000_000] as [Int64] {
            let evidence = try #require(try await Self.worker().kill(at: byte, in: place))
            #expect(evidence.death == .signaled(9))
            #expect(evidence.killSent)
            #expect(!evidence.requests.isEmpty, "the server asked the origin")
            let resumption = try #require(evidence.resumption)
            #expect(resumption.endedWell, "\(resumption.complaint ?? "")")
            #expect(resumption.differingBytes == 0)
            // A plain cache keeps nothing of an unfinished download.
            #expect(resumption.refetched.count == 8 << 20)
            #expect(try place.processes().isEmpty)
        }
    }

    /// What the killed life's client has written must not be taken for the server's.
    @Test func theClientBeginsAnew() async throws {
        let place = Workplace()
        let client = [
            "/bin/sh", "-c", "[ -e \"$1\" ] && exit 9; exec curl -sS -o \"$1\" \"$2\"", "sh",
            "{output}", "http://127.0.0.1:{port}{path}",
        ]
        let evidence = try #require(
            try await Self.worker(client: client).kill(at: 4 << 20, in: place))
        #expect(evidence.resumption?.endedWell == true)
    }

    /// nginx overwrites its environment with its title, so it is found by its open files.
    @Test func aServerThatBecomesADaemonIsFound() async throws {
        let place = Workplace()
        let objection = try #require(try await Self.worker(isDaemon: true).objection(in: place))
        #expect(objection.status == .unavailable)
        #expect(
            objection.message.contains("(nginx) running; run it in the foreground"), "\(objection)")
        #expect(try place.processes().isEmpty)
    }

    /// After the rig is gone, only their files identify the server's processes.
    @Test func theGuardianFindsItsProcesses() async throws {
        let place = Workplace()
        let scratch = place.path("scratch")
        try place.makeFolder("scratch")
        let guardian = try await Guardian.start(
            executable: Programs.rig, mark: "mark-\(place.url.lastPathComponent)", folder: scratch)
        let worker = try Self.worker(client: ["/bin/sleep", "1000"])
        async let objection = worker.objection(in: place)
        try await eventually("the server is ready: its client is there") {
            try place.processes().contains {
                (try? String(contentsOfFile: "/proc/\($0)/comm", encoding: .utf8)) == "sleep\n"
            }
        }
        await guardian.dismiss()
        let message = try #require(try await objection).message
        #expect(message.contains("its server ended by itself"), "\(message)")
        // The guardian is another process, and on a busy machine it may still be at work.
        try await eventually("the guardian has ended them all") { try place.processes().isEmpty }
    }

    @Test(arguments: [SIGKILL, SIGINT])
    func neitherServerNorClientOutlivesTheRig(signal: Int32) async throws {
        let place = Workplace()
        try await rig.end(
            ["kill-test", "--out", "run", "--worker", "nginx-cache", "--video-size", "4MB"]
                + ["--bandwidth", "8MB/s", "--trigger", "bytes"], in: place, by: signal,
            exits: signal == SIGKILL ? nil : 130,
            once: "a row is there, and the server and its client are at work"
        ) {
            // The rig itself, the server, one of its children, and the client.
            try (try? place.rows().isEmpty) == false && place.processes().count >= 4
        }
        try await eventually("nothing is left") { try place.processes().isEmpty }
    }

    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var server: String?
        var client: String?
        let says: String
    }

    static let cases = [
        Case(
            testDescription: "a server that cannot start", server: "echo no >&2; exit 4",
            says: "its server ended before it was ready, with exit code 4: no"),
        Case(
            testDescription: "a server that never answers", server: "exec sleep 1000",
            says: "its server was not ready within 2 s"),
        Case(
            testDescription: "a server that dies at work",
            server: """
                python3 -m http.server --bind 127.0.0.1 "$1" &
                until [ -e "$3" ]; do sleep 0.01; done
                kill $!; exit 5
                """, client: ": > \"$3\"; sleep 1000",
            says: "its server ended by itself while the client was at work, with exit code 5"),
        Case(
            testDescription: "a client that fails", client: "echo refused >&2; exit 7",
            says: "when it is not killed: refused (exit code 7)"),
        Case(
            testDescription: "a client that never ends", client: "exec sleep 1000",
            says: "it did not end within 2 s"),
        Case(
            testDescription: "a client that asks no server", client: ": > \"$3\"",
            says: "never asked for http://127.0.0.1:"),
    ]

    @Test(arguments: cases)
    func whatGoesWrongIsSaid(bad: Case) async throws {
        let place = Workplace()
        let shell = ["/bin/sh", "-c"]
        let arguments = ["sh", "{port}", "{path}", "{output}"]
        var worker = try Self.worker(
            client: bad.client.map { shell + [$0] + arguments },
            server: bad.server.map { shell + [$0] + arguments })
        worker.bytesPerSecond = nil
        worker.timeLimitSeconds = 6
        if bad.says.contains("within 2 s") { worker.timeLimitSeconds = 2 }
        let objection = try #require(try await worker.objection(in: place))
        #expect(objection.status == .unavailable)
        #expect(objection.message.contains(bad.says), "\(objection)")
        #expect(try place.processes().isEmpty)
    }
}
