/// The kernel's figures for one TCP socket.
struct SocketFigures: Sendable, Hashable {
    /// Identifies the socket, also against a later one with the same port.
    var cookie: UInt64
    /// Bytes received from the network (`tcpi_bytes_received`); its end counts as one more.
    var received: Int64
    /// The received bytes that the program has not read, including the end of the stream.
    var queued: Int64
    /// True once no program holds the socket: what has been read no longer changes.
    var isClosed = false

    /// Bytes that the program has read; one more if it has also read the end of the stream.
    var taken: Int64 { max(0, received - queued) }
}

enum SocketLook: Sendable, Hashable {
    case open(SocketFigures)
    /// There is no such socket, or only what the kernel keeps of a closed one.
    case gone
    case failed
}

struct EndedSocket: Sendable, Hashable {
    var clientPort: UInt16
    var figures: SocketFigures
    /// True if the socket was closed abruptly (SO_LINGER of 0): the kernel then reports neither its
    /// peer nor what it had received, and nothing was left to read.
    var isDisconnected = false
}

/// The source of socket figures: the kernel, or a test; each socket is a client's on the loopback
/// interface, connected to the origin, and identified by its own port.
protocol SocketSource: Sendable {
    /// One look at a socket, which takes some 10 µs.
    func look(clientPort: UInt16) -> SocketLook
    /// The sockets that ended since the last call, in order; nil if some were missed.
    func ended() -> [EndedSocket]?
}

struct SocketDiagnosticsError: Error, CustomStringConvertible {
    let description: String
}
