internal import FixtureOrigin
internal import Glibc
internal import RigModel

/// An origin that does not answer, and whose port, which its URLs name, no other process can take:
/// a socket that is bound and does not listen refuses every connection.
struct StoppedOrigin: Sendable {
    private let origin: FixtureOrigin
    private let placeholder: Int32

    static func stop(_ origin: FixtureOrigin) async throws -> StoppedOrigin {
        let port = origin.port
        await origin.stop()
        return StoppedOrigin(origin: origin, placeholder: try hold(port))
    }

    /// Reserves a port; another job may have been given it meanwhile, and most release it soon.
    static func hold(_ port: UInt16, pause: () -> Void = { Pause.seconds(0.010) }) throws -> Int32 {
        for attempt in 1...100 {
            if let socket = LoopbackSocket.bound(to: port) { return socket.descriptor }
            if attempt < 100 { pause() }
        }
        throw RigError(.failure, "another program took the origin's port \(port); run again")
    }

    func start() async throws {
        // Two sockets may share a port as long as only one of them listens.
        defer { close(placeholder) }
        do {
            try await origin.start()
        } catch {
            throw RigError(.failure, "the origin cannot go on: \(error)")
        }
    }
}
