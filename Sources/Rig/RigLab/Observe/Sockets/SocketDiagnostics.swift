internal import CSocketDiagnostics
internal import Glibc

/// Queries the kernel for the figures of sockets: a client of netlink's SOCK_DIAG (sock_diag(7)).
///
/// A socket is queried by its four-tuple, because a dump would walk the kernel's whole table. When
/// a socket ends, the kernel sends its last figures to all listeners; they still include what was
/// unread at the close. Neither needs a privilege.
final class SocketDiagnostics: SocketSource {
    private let originPort: UInt16
    private let questions: NetlinkSocket
    private let endings: NetlinkSocket

    init(originPort: UInt16) throws(SocketDiagnosticsError) {
        self.originPort = originPort
        questions = try NetlinkSocket(endsFrom: 0)
        endings = try NetlinkSocket(endsFrom: originPort)
    }

    func look(clientPort: UInt16) -> SocketLook {
        var facts = socket_facts()
        guard socket_facts_ask(questions.descriptor, clientPort, originPort),
            socket_facts_next(questions.descriptor, &facts) == 1
        else { return .failed }
        guard facts.error == 0 else { return facts.error == -ENOENT ? .gone : .failed }
        guard facts.remote_port == originPort, facts.own_port == clientPort,
            let figures = SocketFigures(facts)
        else { return .gone }
        return .open(figures)
    }

    /// The sockets that ended since the last call; nil if the kernel's buffer overflowed.
    func ended() -> [EndedSocket]? {
        var ended: [EndedSocket] = []
        var facts = socket_facts()
        while true {
            let told = socket_facts_next(endings.descriptor, &facts)
            guard told == 1 else { return told == 0 ? ended : nil }
            // An abruptly closed socket no longer has a remote port.
            guard [originPort, 0].contains(facts.remote_port), let figures = SocketFigures(facts)
            else { continue }
            ended.append(
                EndedSocket(
                    clientPort: facts.own_port, figures: figures,
                    isDisconnected: facts.remote_port == 0))
        }
    }
}

private final class NetlinkSocket: Sendable {
    let descriptor: Int32

    /// For questions, or for the ends of sockets that were connected to a port.
    init(endsFrom port: UInt16) throws(SocketDiagnosticsError) {
        descriptor = socket_facts_open(port)
        guard descriptor >= 0 else {
            throw SocketDiagnosticsError(
                description: "the kernel's socket diagnostics cannot be had: "
                    + "\(String(cString: strerror(errno))); allow netlink sockets (sock_diag(7))")
        }
    }

    deinit { if descriptor >= 0 { close(descriptor) } }
}

extension SocketFigures {
    fileprivate init?(_ facts: socket_facts) {
        guard facts.has_figures else { return nil }
        self.init(
            cookie: facts.cookie, received: facts.received, queued: facts.queued,
            isClosed: facts.is_closed)
    }
}
