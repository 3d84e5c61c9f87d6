internal import Fixture
package import FixtureOrigin
internal import Glibc
internal import RigModel

/// Asks an origin of the rig's own: where that does not answer, no worker is to blame.
package enum OriginProbe {
    private static let seconds = 10
    private static let path = "/the-rig-asks-itself"
    private static let content: [UInt8] = Array("the rig".utf8)

    /// Asks an origin that listens, without faults and without TLS, and compares the answer.
    package static func ask(_ origin: FixtureOrigin) async throws {
        let mount = origin.mount(Resource(source: MemoryVideo(content)), at: path)
        defer { origin.unmount(mount) }
        let port = origin.port
        guard let reason = await onOwnThread({ refusal(port: port) }) else { return }
        throw RigError.unavailable(
            "the rig cannot reach its own origin at 127.0.0.1:\(port): \(reason); see whether the"
                + " loopback interface is up (ip link set lo up), and what keeps programs here from"
                + " connecting to this machine itself")
    }

    private static func refusal(port: UInt16) -> String? {
        let deadline = ContinuousClock.now + .seconds(seconds)
        do {
            let connection = try PlayerConnection(port: port, within: seconds) {
                ContinuousClock.now > deadline
            }
            try connection.send(
                "GET \(path) HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\nConnection: close\r\n\r\n")
            let status = try connection.readHead().status
            guard status == 200 else { return "it answered \(status)" }
            var body: [UInt8] = []
            while case let piece = try connection.readBody(atMost: 4096), !piece.isEmpty {
                body += piece
            }
            return body == content ? nil : "another server answered"
        } catch .dropped, .system("connect", errno: EINPROGRESS) {
            return "no answer within \(seconds) s"
        } catch {
            return "\(error)"
        }
    }
}
