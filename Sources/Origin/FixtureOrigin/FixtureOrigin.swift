package import LoopbackHTTP
package import OriginFaults
internal import Synchronization

/// An HTTP/1.1 server of videos, with holds at an exact byte, a ledger of requests, and faults.
package final class FixtureOrigin: Sendable {
    private let wantedPort: UInt16
    private let faults: [OriginFault]
    private let encryption: TLSEncryption?
    /// By their paths.
    let mounts = Mutex<[String: Mount]>([:])
    let clients: ClientSide

    /// Creates an origin that does not listen yet; port 0 picks a free one, which it keeps.
    package init(port: UInt16 = 0, faults: [OriginFault] = [], clock: WallClock = .system) {
        clients = ClientSide(of: LoopbackServer(clock: clock))
        (wantedPort, self.faults, encryption) = (port, faults, nil)
    }

    /// Creates an origin that speaks TLS, with a certificate that clients accept without a flaw.
    package init(
        port: UInt16 = 0, faults: [OriginFault] = [], certifiedBy authority: CertificateAuthority,
        flaw: CertificateAuthority.Flaw? = nil
    ) throws(OriginError) {
        encryption = try authority.encryption(with: flaw)
        clients = ClientSide(isEncrypted: true)
        (wantedPort, self.faults) = (port, faults)
    }

    /// The port that the origin listens on; 0 before its first start.
    package var port: UInt16 { clients.port }

    /// Where the URLs of all mounts begin, such as `http://127.0.0.1:4711`.
    package var base: String { clients.base }

    /// Serves a resource under a path, in the place of what it had; the mount's own faults, of
    /// HTTP, strike after those of every mount.
    package func mount(
        _ resource: Resource, at path: String, faults own: [OriginFault] = []
    ) -> Mount {
        insert(Mount(resource, path: path, faults: faults + own, clients: clients))
    }

    /// Serves another resource with each request, counted from 1, such as a list that changes;
    /// holds count the positions of each separately, and the rate is the first one's.
    package func mount(at path: String, sequence: @escaping @Sendable (Int) -> Resource) -> Mount {
        insert(Mount(sequence(1), path: path, faults: faults, clients: clients, sequence: sequence))
    }

    private func insert(_ mount: Mount) -> Mount {
        let path = mount.path
        precondition(path.hasPrefix("/"), "The path \(path) does not begin with a slash.")
        let replaced = mounts.withLock { mounts in
            mount.paths.compactMap { mounts.updateValue(mount, forKey: $0) }
        }
        for other in replaced { other.cut() }
        return mount
    }

    /// Follows the answers from now on, as long as the tap is kept.
    package func tap() -> ResponseSubscription { clients.tap() }

    /// Ends a mount: its bodies are cut, and its path answers 404 from now on.
    package func unmount(_ mount: Mount) {
        mounts.withLock { mounts in
            // A path may belong to another one by now.
            for path in mount.paths where mounts[path] === mount { mounts[path] = nil }
        }
        mount.cut()
    }

    /// Starts listening on 127.0.0.1, and returns once clients can connect.
    package func start() async throws(OriginError) {
        let port = self.port == 0 ? wantedPort : self.port
        do {
            try await clients.server.start(
                on: port, secure: encryption?.secure, link: faults.makeLinks(),
                refuse: { try await self.refuse($0, on: $1) },
                answer: { try await self.answer($0, on: $1) })
        } catch {
            throw OriginError.cannotListen(error, port: port)
        }
    }

    /// Cuts all bodies, and stops listening; a later start serves the mounts on the same port.
    package func stop() async {
        for mount in mounts.withLock({ Array($0.values) }) { mount.cut() }
        await clients.server.stop()
    }
}
