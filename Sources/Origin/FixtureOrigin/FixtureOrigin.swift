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
    private let server: LoopbackServer
    /// Where the URLs of all mounts begin, once the server listens.
    private let addresses: @Sendable () -> String
    private let taps = Mutex<[Tap]>([])

    private struct Tap: Sendable {
        weak var subscription: ResponseSubscription?
    }

    /// Creates an origin that does not listen yet; port 0 picks a free one, which it keeps.
    package init(port: UInt16 = 0, faults: [OriginFault] = [], clock: WallClock = .system) {
        let server = LoopbackServer(clock: clock)
        self.server = server
        addresses = { "http://127.0.0.1:\(server.port)" }
        (wantedPort, self.faults, encryption) = (port, faults, nil)
    }

    /// Creates an origin that speaks TLS, with a certificate that clients accept without a flaw.
    package init(
        port: UInt16 = 0, faults: [OriginFault] = [], certifiedBy authority: CertificateAuthority,
        flaw: CertificateAuthority.Flaw? = nil
    ) throws(OriginError) {
        encryption = try authority.encryption(with: flaw)
        let server = LoopbackServer()
        self.server = server
        addresses = { "https://127.0.0.1:\(server.port)" }
        (wantedPort, self.faults) = (port, faults)
    }

    /// The port that the origin listens on; 0 before its first start.
    package var port: UInt16 { server.port }

    /// Where the URLs of all mounts begin, such as `http://127.0.0.1:4711`.
    package var base: String { addresses() }

    /// Serves a resource under a path, in the place of what it had; the mount's own faults, of
    /// HTTP, strike after those of every mount.
    package func mount(
        _ resource: Resource, at path: String, faults own: [OriginFault] = []
    ) -> Mount {
        insert(Mount(resource, path: path, faults: faults + own, base: addresses))
    }

    /// Serves another resource with each request, counted from 1, such as a list that changes;
    /// holds count the positions of each separately, and the rate is the first one's.
    package func mount(at path: String, sequence: @escaping @Sendable (Int) -> Resource) -> Mount {
        insert(Mount(sequence(1), path: path, faults: faults, base: addresses, sequence: sequence))
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
    package func tap() -> ResponseSubscription {
        let subscription = ResponseSubscription()
        taps.withLock { taps in
            taps.removeAll { $0.subscription == nil }
            taps.append(Tap(subscription: subscription))
        }
        return subscription
    }

    /// Hands an answer to every tap; must be called before the answer's head is sent.
    func note(_ answer: ServedAnswer) {
        for tap in taps.withLock({ $0 }) { tap.subscription?.add(answer) }
    }

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
            try await server.start(
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
        await server.stop()
    }
}
