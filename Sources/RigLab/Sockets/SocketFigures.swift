/// What the kernel says of one TCP socket.
struct SocketFigures: Sendable, Hashable {
    /// Tells a socket from every other one, also from a later one with the same port.
    var cookie: UInt64
    /// Bytes that the kernel has taken from the network for it (`tcpi_bytes_received`).
    ///
    /// The end of the stream counts as one more.
    var received: Int64
    /// Bytes of them that its program has not read, the end of the stream among them.
    var queued: Int64
    /// True once no program has it any more: what has been read stays as it is.
    var isClosed = false

    /// Bytes that its program has read; one more where it has read the end of the stream, too.
    var taken: Int64 { max(0, received - queued) }
}

/// What a look at a socket shows.
enum SocketLook: Sendable, Hashable {
    /// It is there, and its figures are these.
    case open(SocketFigures)
    /// There is none, or only what the kernel keeps of one that has been closed.
    case gone
    /// The kernel did not answer.
    case failed
}

/// A socket that is no more, with its last figures.
struct EndedSocket: Sendable, Hashable {
    var clientPort: UInt16
    var figures: SocketFigures
    /// True for one that was closed abruptly (SO_LINGER of 0): the kernel tells neither whom it was
    /// connected to nor what it had received, and there was nothing left to read.
    var isDisconnected = false
}

/// Where the figures of sockets come from: the kernel, or a test.
///
/// Each is a socket of a client on the loopback interface, connected to the origin, and named by its
/// own port.
protocol SocketSource: Sendable {
    /// One look at a socket, in some 10 µs.
    func look(clientPort: UInt16) -> SocketLook
    /// The sockets that ended since the last call, in their order; nil when some went unnoticed.
    func ended() -> [EndedSocket]?
}

/// Why the kernel cannot be asked.
struct SocketDiagnosticsError: Error, CustomStringConvertible {
    let description: String
}
