import Fixture
import Foundation
import LoopbackHTTP
import OriginFaults
import Testing
import TestSupport

@testable import FixtureOrigin

extension OneAtATime {
    @Suite("The origin starts and stops") struct LifecycleTests {
        @Test("Too few descriptors are named, and not the loopback interface")
        func tooFewDescriptors() {
            let refusal = ListenError.refused(code: EMFILE, reason: "Too many open files")
            let text = OriginError.cannotListen(refusal, port: 0).description
            #expect(text.contains("ulimit -n") && !text.contains("loopback"), "\(text)")
        }

        @Test("A port that is taken is named, with what to do") func portTaken() async throws {
            try await OriginFixture.run { fixture in
                let second = FixtureOrigin(port: fixture.port)
                let error = await #expect(throws: OriginError.self) { () async throws in
                    try await second.start()
                }
                #expect(error?.description.contains("the port is taken") == true)
                #expect(error?.description.contains("\(fixture.port)") == true)
                #expect(second.port == 0)
                // The failed origin can be started once the port is free.
                await fixture.origin.stop()
                try await second.startOnceItsPortIsFree()
                #expect(second.port == fixture.port)
                await second.stop()
            }
        }

        @Test(
            "A stop ends held bodies and idle connections; a new start serves on the same port",
            arguments: [[], [.init(.latency, .milliseconds(1))]] as [[OriginFault]])
        func stopAndStart(toxics: [OriginFault]) async throws {
            try await OriginFixture.run(faults: toxics) { fixture in
                let (port, mount) = (fixture.port, fixture.mount)
                mount.hold(afterDistinctBytes: 10)
                let (held, idle) = try await SocketClient.work(at: fixture.port) { idle in
                    _ = try idle.exchange("HEAD", OriginFixture.path)
                    let held = try SocketClient(port: port)
                    held.send("GET", OriginFixture.path)
                    _ = try held.readHead()
                    return (held, idle)
                }
                try await eventually("the body is not held") { mount.heldBodies == 1 }
                await fixture.origin.stop()
                #expect(try await held.taken(100).count == 10)
                #expect(try await idle.taken(1).isEmpty)
                await #expect(throws: SocketClient.Failure.self) {
                    try await offPool { _ = try SocketClient(port: port) }
                }
                await fixture.origin.stop()
                mount.release()
                try await fixture.origin.startOnceItsPortIsFree()
                #expect(fixture.port == port)
                #expect(try await fixture.exchange("GET").body.count == Int(fixture.video.length))
            }
        }

        @Test("A stop does not wait for what comes late")
        func stopBeforeTheFirstByte() async throws {
            let faults = [OriginFault(.latency, .milliseconds(3_600_000))]
            try await OriginFixture.run(faults: faults) { fixture in
                let mount = fixture.mount
                let client = try await fixture.client()
                try await eventually("the request has come") { !mount.ledger.isEmpty }
                await fixture.origin.stop()
                #expect(try await client.taken(1).isEmpty)
            }
        }

        @Test("A new start counts the connections anew") func countedAnew() async throws {
            let toxics = [OriginFault(.resetPeer, .milliseconds(0), times: 1)]
            try await OriginFixture.run(faults: toxics) { fixture in
                for _ in 1...2 {
                    let client = try await fixture.client()
                    #expect(try await client.taken(1).isEmpty)
                    #expect(client.wasReset)
                    #expect(try await fixture.exchange("HEAD").status == 200)
                    await fixture.origin.stop()
                    try await fixture.origin.startOnceItsPortIsFree()
                }
            }
        }

        @Test("Other addresses than 127.0.0.1 are not served") func loopbackOnly() async throws {
            try await OriginFixture.run { fixture in
                let port = fixture.port
                // A server that listened on all addresses would answer here too.
                await #expect(throws: SocketClient.Failure.self) {
                    try await offPool { _ = try SocketClient(port: port, address: 0x7F00_0002) }
                }
            }
        }
    }

    @Suite("A file is a video too") struct FileVideoTests {
        private func withFile(_ bytes: [UInt8], _ test: (String) async throws -> Void) async throws
        {
            let path = FileManager.default.temporaryDirectory.path + "/video-\(UUID().uuidString)"
            try Data(bytes).write(to: URL(fileURLWithPath: path))
            defer { try? FileManager.default.removeItem(atPath: path) }
            try await test(path)
        }

        @Test("It is served byte for byte") func served() async throws {
            let bytes = (0..<300_001).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) }
            try await withFile(bytes) { path in
                let video = try FileVideo(path: path)
                #expect(video.length == 300_001)
                #expect(try video.bytes(in: 7..<9999) == Array(bytes[7..<9999]))
                #expect(throws: FixtureError.self) { try video.bytes(in: 300_000..<300_002) }
                try await OriginFixture.run { fixture in
                    _ = fixture.origin.mount(Resource(source: video), at: "/file")
                    let isSame = try await fixture.exchange("GET", "/file").body == bytes
                    #expect(isSame)
                }
            }
        }

        @Test("A changed file has another identity") func identity() async throws {
            try await withFile([1, 2, 3]) { path in
                let identity = try FileVideo(path: path).identity
                #expect(try FileVideo(path: path).identity == identity)
                try Data([1, 2, 4, 5]).write(to: URL(fileURLWithPath: path))
                #expect(try FileVideo(path: path).identity != identity)
            }
        }

        @Test("A file that became shorter ends the body instead of padding it")
        func shorter() async throws {
            try await withFile([UInt8](repeating: 9, count: 600_000)) { path in
                let video = try FileVideo(path: path)
                #expect(truncate(path, 400_000) == 0)
                try await OriginFixture.run { fixture in
                    let mount = fixture.origin.mount(Resource(source: video), at: "/file")
                    let reply = try await fixture.exchange("GET", "/file")
                    #expect(reply.headers["content-length"] == "600000")
                    #expect(reply.body.count == 262_144)
                    try await eventually("the body still runs") { mount.ledger[0].state == .cut }
                }
            }
        }

        @Test("What is no video file is refused, with what to do") func refused() async throws {
            try await withFile([]) { path in
                #expect(throws: FileVideoError.empty(path: path)) { try FileVideo(path: path) }
            }
            #expect(throws: FileVideoError.notAFile(path: "/")) { try FileVideo(path: "/") }
            let error = #expect(throws: FileVideoError.self) {
                try FileVideo(path: "/no/such/file")
            }
            #expect(error?.description.contains("/no/such/file") == true)
        }
    }
}

extension FixtureOrigin {
    /// Starts an origin on a port that another has left.
    ///
    /// A program that a test of another suite starts has this process's sockets between fork and
    /// exec, so the port may stay taken for that long.
    fileprivate func startOnceItsPortIsFree() async throws {
        try await eventually("the port is free") {
            do {
                try await start()
                return true
            } catch OriginError.cannotListen(.refused(EADDRINUSE, _), _) {
                return false
            }
        }
    }
}
