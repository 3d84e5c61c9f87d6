internal import FlyingFox
internal import FlyingSocks
internal import Synchronization

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// An HTTP/1.1 server on the loopback interface that serves videos, can hold bodies at an exact
/// byte, keeps a ledger of all requests, and can inject faults.
package final class FixtureOrigin: Sendable {
    private enum State: Sendable {
        case stopped
        case starting
        case running(HTTPServer, Task<Void, Never>, TCPRelay?)
    }

    private let wantedPort: UInt16
    private let faults: OriginFaults
    private let mounts = MountTable()
    let connections = ConnectionTable()
    private let state = Mutex(State.stopped)

    /// Creates an origin that does not listen yet.
    ///
    /// Some faults need a relay in front of the server: clients connect to the relay, and the
    /// ledger counts what the server hands over. Up to some MB of it may still be in the relay and
    /// in the kernel's buffers on both sides, so served bytes exceed received bytes by more than
    /// without a relay. Bytes that the relay drops count as served but are never received.
    ///
    /// - Parameters:
    ///   - port: the port to listen on; 0 picks a free one, which later starts keep.
    ///   - faults: the faults of every mount.
    package init(port: UInt16 = 0, faults: OriginFaults = OriginFaults()) {
        wantedPort = port
        self.faults = faults
    }

    /// The port that the origin listens on; 0 before its first start.
    package var port: UInt16 { connections.port }

    /// Serves a resource under a path; may be called before or after the start.
    ///
    /// - Parameters:
    ///   - resource: what to serve.
    ///   - path: begins with `/`, written as in a URL; a mount that already has it is unmounted.
    ///   - own: faults of this mount only; they strike after those of every mount.
    /// - Returns: the mount, with its own hold and ledger.
    package func mount(
        _ resource: Resource, at path: String, faults own: [HTTPFault] = []
    ) -> Mount {
        precondition(path.hasPrefix("/"), "The path \(path) does not begin with a slash.")
        let mount = Mount(
            resource, path: path, faults: faults.http + own, connections: connections)
        for replaced in mounts.insert(mount) { replaced.cut() }
        return mount
    }

    /// Serves another resource with each request, such as a list that changes.
    ///
    /// Holds count the positions of each request separately; the rate is the first resource's.
    ///
    /// - Parameters:
    ///   - path: begins with `/`; a mount that already has it is unmounted.
    ///   - sequence: the resource of the nth request since the mount, counted from 1.
    /// - Returns: the mount.
    package func mount(
        at path: String, sequence: @escaping @Sendable (Int) -> Resource
    ) -> Mount {
        precondition(path.hasPrefix("/"), "The path \(path) does not begin with a slash.")
        let mount = Mount(
            sequence(1), path: path, faults: faults.http, connections: connections,
            sequence: sequence)
        for replaced in mounts.insert(mount) { replaced.cut() }
        return mount
    }

    /// Follows the answers from now on, as long as the tap is kept.
    package func tap() -> ResponseSubscription { ResponseSubscription(of: connections) }

    /// Ends a mount: its bodies are cut, and its path answers 404 from now on.
    package func unmount(_ mount: Mount) {
        mounts.remove(mount)
        mount.cut()
    }

    /// Starts listening on 127.0.0.1, and returns once clients can connect.
    ///
    /// - Throws: `OriginError`, among them `portTaken`.
    package func start() async throws(OriginError) {
        let isFirst = state.withLock { state in
            guard case .stopped = state else { return false }
            state = .starting
            return true
        }
        guard isFirst else { throw .alreadyStarted(port: port) }
        let port = self.port == 0 ? wantedPort : self.port
        let server = HTTPServer(
            config: .init(
                address: Self.address(port: faults.needRelay ? 0 : port),
                pool: OriginSocketPool(
                    base: HTTPServer.defaultPool(logger: .disabled), connections: connections),
                logger: .disabled),
            handler: OriginHandler(mounts: mounts, connections: connections))
        do {
            let task = try await Self.run(server)
            guard case .ip4(_, let bound)? = await server.listeningAddress else {
                task.cancel()
                throw OriginError.cannotListen(port: port, reason: "it ended at once")
            }
            let relay = try await startRelay(port: port, before: server, at: bound)
            connections.port = relay?.port ?? bound
            connections.relay = relay
            state.withLock { $0 = .running(server, task, relay) }
        } catch let error as OriginError {
            state.withLock { $0 = .stopped }
            throw error
        } catch {
            state.withLock { $0 = .stopped }
            throw Self.originError(error, port: port)
        }
    }

    /// Starts a relay if the faults need one; stops the server when the relay cannot start.
    private func startRelay(
        port: UInt16, before server: HTTPServer, at serverPort: UInt16
    ) async throws(OriginError) -> TCPRelay? {
        guard faults.needRelay else { return nil }
        let relay = TCPRelay(port: port, upstream: serverPort, toxics: faults.toxics)
        do {
            try relay.start()
        } catch {
            await server.stop(timeout: 0)
            throw error
        }
        return relay
    }

    /// Cuts all bodies, closes all connections, and stops listening.
    ///
    /// The mounts remain, and a later start serves them on the same port.
    package func stop() async {
        let running: (HTTPServer, Task<Void, Never>, TCPRelay?)? = state.withLock { state in
            guard case .running(let server, let task, let relay) = state else { return nil }
            state = .stopped
            return (server, task, relay)
        }
        guard let (server, task, relay) = running else { return }
        for mount in mounts.all { mount.cut() }
        relay?.stop()
        connections.relay = nil
        await server.stop(timeout: 0)
        await task.value
    }

    /// Runs a server in its own task; returns once it listens, throws if it cannot.
    private static func run(_ server: HTTPServer) async throws -> Task<Void, Never> {
        let (events, continuation) = AsyncStream.makeStream(of: (any Error)?.self)
        let task = Task {
            do { try await server.run() } catch { continuation.yield(error) }
        }
        let listening = Task {
            do {
                try await server.waitUntilListening(timeout: 60)
                continuation.yield(nil)
            } catch {
                continuation.yield(error)
            }
        }
        defer { listening.cancel() }
        for await error in events {
            guard let error else { break }
            task.cancel()
            throw error
        }
        return task
    }

    private static func address(port: UInt16) -> sockaddr_in {
        var address = sockaddr_in.inet(port: port)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return address
    }

    private static func originError(_ error: any Error, port: UInt16) -> OriginError {
        guard case .failed(_, let code, let message)? = error as? SocketError else {
            return .cannotListen(port: port, reason: "\(error)")
        }
        return code == 0
            ? .cannotListen(port: port, reason: message) : OriginError(code, port: port)
    }
}
