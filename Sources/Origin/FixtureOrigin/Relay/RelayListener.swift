internal import Glibc

/// The listening socket of a relay, on 127.0.0.1.
final class RelayListener: Sendable {
    private let descriptor: Int32
    private let wakingEnd: Int32
    private let wakeEnd: Int32

    let port: UInt16

    /// Listens on a port; 0 picks a free one.
    init(port: UInt16) throws(OriginError) {
        var pipeEnds: [Int32] = [-1, -1]
        guard pipe(&pipeEnds) == 0 else { throw OriginError(errno, port: port) }
        (wakingEnd, wakeEnd) = (pipeEnds[0], pipeEnds[1])
        for end in pipeEnds { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        // All properties are set before the first throw, so that `deinit` closes the descriptors.
        let made = LoopbackAddress.newSocket()
        let madeError = errno
        descriptor = made ?? -1
        var isOn: Int32 = 1
        _ = setsockopt(
            descriptor, SOL_SOCKET, SO_REUSEADDR, &isOn, socklen_t(MemoryLayout<Int32>.size))
        let fd = descriptor
        let bound = LoopbackAddress.with(port: port) { bind(fd, $0, $1) }
        let listening = bound == 0 ? listen(fd, 128) : -1
        let listenError = errno
        self.port = LoopbackAddress.localPort(of: fd)
        guard made != nil else { throw OriginError(madeError, port: port) }
        guard listening == 0 else { throw OriginError(listenError, port: port) }
    }

    deinit {
        for end in [descriptor, wakingEnd, wakeEnd] where end >= 0 { close(end) }
    }

    /// Waits for the next client; nil once `wake()` has been called.
    func accept() -> RelaySocket? {
        while true {
            var waiting = [
                pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
                pollfd(fd: wakingEnd, events: Int16(POLLIN), revents: 0),
            ]
            let ready = poll(&waiting, 2, -1)
            if ready < 0, errno == EINTR { continue }
            guard ready > 0, waiting[1].revents == 0 else { return nil }
            let client = acceptClient()
            // A client that disconnected before the accept must not end the listening.
            if client >= 0 { return RelaySocket(owning: client) }
        }
    }

    /// Makes `accept()` return nil, now and in future.
    func wake() {
        var byte: UInt8 = 1
        _ = write(wakeEnd, &byte, 1)
    }

    private func acceptClient() -> Int32 {
        let client = Glibc.accept(descriptor, nil, nil)
        if client >= 0 { _ = fcntl(client, F_SETFD, FD_CLOEXEC) }
        return client
    }
}

extension OriginError {
    /// The error for a system error number from listening on a port.
    init(_ code: Int32, port: UInt16) {
        self =
            switch code {
            case EADDRINUSE: .portTaken(port)
            case EACCES: .portForbidden(port)
            default: .cannotListen(port: port, reason: String(cString: strerror(code)))
            }
    }
}
