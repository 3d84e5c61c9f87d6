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

    /// The groups SKNLGRP_INET_TCP_DESTROY and SKNLGRP_INET6_TCP_DESTROY: a program may use an
    /// IPv6 socket for an IPv4 address.
    private static let destroyed: UInt32 = 1 << 0 | 1 << 2

    /// Begins to listen for the ends of sockets that are connected to the origin.
    init(originPort: UInt16) throws(SocketDiagnosticsError) {
        self.originPort = originPort
        questions = try NetlinkSocket(groups: 0)
        endings = try NetlinkSocket(groups: Self.destroyed)
        endings.keepOnly(remotePort: originPort)
    }

    func look(clientPort: UInt16) -> SocketLook {
        let question = DiagnosticMessage.question(clientPort: clientPort, originPort: originPort)
        guard questions.send(question) else { return .failed }
        switch questions.receive() {
        case .message(let answer?):
            guard answer.error == nil else { return answer.error == -ENOENT ? .gone : .failed }
            guard answer.remotePort == originPort, answer.clientPort == clientPort,
                let figures = answer.figures
            else { return .gone }
            return .open(figures)
        case .message(nil), .nothing, .overrun: return .failed
        }
    }

    /// The sockets that ended since the last call; nil if the kernel's buffer overflowed.
    func ended() -> [EndedSocket]? {
        var ended: [EndedSocket] = []
        while true {
            switch endings.receive() {
            case .nothing: return ended
            case .overrun: return nil
            case .message(let message):
                // An abruptly closed socket no longer has a remote port.
                guard let message, [originPort, 0].contains(message.remotePort),
                    let figures = message.figures
                else { continue }
                ended.append(
                    EndedSocket(
                        clientPort: message.clientPort, figures: figures,
                        isDisconnected: message.remotePort == 0))
            }
        }
    }
}

/// A netlink socket of the family SOCK_DIAG.
private final class NetlinkSocket: Sendable {
    enum Received {
        /// A message; nil for one that is neither an error nor about a socket.
        case message(DiagnosticMessage?)
        case nothing
        /// Messages were dropped, because they were not read in time.
        case overrun
    }

    private static let diagnostics: Int32 = 4  // NETLINK_SOCK_DIAG
    /// Buffer space for the messages of some thousand sockets; the kernel may grant less.
    private static let room: Int32 = 4 << 20
    /// Larger than any message.
    private static let largest = 4096

    private let descriptor: Int32

    init(groups: UInt32) throws(SocketDiagnosticsError) {
        let kind = Int32(SOCK_RAW.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        descriptor = socket(AF_NETLINK, kind, Self.diagnostics)
        guard descriptor >= 0 else { throw Self.refusal() }
        var room = Self.room
        let size = socklen_t(MemoryLayout<Int32>.size)
        // Only privileged processes may exceed the system's limit.
        if setsockopt(descriptor, SOL_SOCKET, SO_RCVBUFFORCE, &room, size) != 0 {
            setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &room, size)
        }
        // sockaddr_nl: family, padding, a port of the kernel's choice, groups.
        let address: [UInt32] = [UInt32(AF_NETLINK), 0, groups]
        let bound = address.withUnsafeBytes { bytes in
            bind(
                descriptor, bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self),
                socklen_t(bytes.count))
        }
        guard bound == 0 else {
            let refusal = Self.refusal()
            close(descriptor)
            throw refusal
        }
    }

    deinit { close(descriptor) }

    private static func refusal() -> SocketDiagnosticsError {
        SocketDiagnosticsError(
            description: "the kernel's socket diagnostics cannot be had: "
                + "\(String(cString: strerror(errno))); allow netlink sockets (sock_diag(7))")
    }

    /// Installs a filter that drops messages about sockets connected to other ports.
    ///
    /// Sockets without a remote port pass: they may have been connected to this one. A machine
    /// may close very many sockets, and dropped messages take no buffer space. If the kernel
    /// refuses the filter, the reader still checks each message itself.
    func keepOnly(remotePort: UInt16) {
        var program = [
            // Load the port; BPF interprets it in network byte order.
            FilterStep(code: 0x28, jt: 0, jf: 0, k: UInt32(DiagnosticMessage.remotePortOffset)),
            FilterStep(code: 0x15, jt: 1, jf: 0, k: UInt32(remotePort)),
            FilterStep(code: 0x15, jt: 0, jf: 1, k: 0),
            FilterStep(code: 0x06, jt: 0, jf: 0, k: .max),
            FilterStep(code: 0x06, jt: 0, jf: 0, k: 0),
        ]
        program.withUnsafeMutableBufferPointer { code in
            var filter = FilterProgram(len: UInt16(code.count), filter: code.baseAddress)
            setsockopt(
                descriptor, SOL_SOCKET, SO_ATTACH_FILTER, &filter,
                socklen_t(MemoryLayout<FilterProgram>.size))
        }
    }

    func send(_ bytes: [UInt8]) -> Bool {
        Glibc.send(descriptor, bytes, bytes.count, 0) == bytes.count
    }

    func receive() -> Received {
        withUnsafeTemporaryAllocation(byteCount: Self.largest, alignment: 8) { buffer in
            while true {
                let count = recv(descriptor, buffer.baseAddress, buffer.count, Int32(MSG_DONTWAIT))
                if count < 0, errno == EINTR { continue }
                if count < 0, errno == ENOBUFS { return .overrun }
                guard count >= 0 else { return .nothing }
                return .message(
                    DiagnosticMessage(UnsafeRawBufferPointer(rebasing: buffer[..<count])))
            }
        }
    }
}

/// A `sock_filter` of the kernel's `linux/filter.h`.
private struct FilterStep {
    var code: UInt16
    var jt: UInt8
    var jf: UInt8
    var k: UInt32
}

/// A `sock_fprog` of the same header.
private struct FilterProgram {
    var len: UInt16
    var filter: UnsafeMutablePointer<FilterStep>?
}

/// A kernel message about a TCP socket (`linux/inet_diag.h`).
private struct DiagnosticMessage {
    let clientPort: UInt16
    let remotePort: UInt16
    /// The negative error number; nil when the message is about a socket.
    let error: Int32?
    /// Nil for a listening socket, and for what the kernel keeps of a closed one.
    let figures: SocketFigures?

    /// The offset of the remote port in a message.
    static let remotePortOffset = 22

    private static let errorType: UInt16 = 2  // NLMSG_ERROR
    private static let diagnosticType: UInt16 = 20  // SOCK_DIAG_BY_FAMILY
    private static let information: UInt16 = 2  // INET_DIAG_INFO
    private static let listening: UInt8 = 10  // TCP_LISTEN
    /// `tcpi_bytes_received` of `tcp_info`, since Linux 4.1.
    private static let bytesReceived = 128
    private static let attributes = 88

    /// Parses a message; nil when it is neither an error nor about a socket.
    init?(_ bytes: UnsafeRawBufferPointer) {
        func load<Value: BitwiseCopyable>(_ offset: Int, as type: Value.Type) -> Value {
            bytes.loadUnaligned(fromByteOffset: offset, as: type)
        }
        guard bytes.count >= 20 else { return nil }
        let type = load(4, as: UInt16.self)
        guard type != Self.errorType else {
            (clientPort, remotePort, figures) = (0, 0, nil)
            error = load(16, as: Int32.self)
            return
        }
        guard type == Self.diagnosticType, bytes.count >= Self.attributes else { return nil }
        error = nil
        clientPort = UInt16(bigEndian: load(20, as: UInt16.self))
        remotePort = UInt16(bigEndian: load(Self.remotePortOffset, as: UInt16.self))
        var received: Int64?
        var offset = Self.attributes
        while offset + 4 <= bytes.count {
            let length = Int(load(offset, as: UInt16.self))
            guard length >= 4, offset + length <= bytes.count else { break }
            let isWhole = length >= 4 + Self.bytesReceived + 8
            if load(offset + 2, as: UInt16.self) == Self.information, isWhole {
                received = load(offset + 4 + Self.bytesReceived, as: Int64.self)
            }
            offset += (length + 3) & ~3
        }
        let isListening = load(17, as: UInt8.self) == Self.listening
        let cookie = load(60, as: UInt64.self)
        let queued = Int64(load(72, as: UInt32.self))
        figures =
            isListening
            ? nil
            : received.map {
                SocketFigures(
                    cookie: cookie, received: $0, queued: queued,
                    isClosed: load(84, as: UInt32.self) == 0)
            }
    }

    /// The query for the socket from a port of the loopback interface to the origin's port.
    static func question(clientPort: UInt16, originPort: UInt16) -> [UInt8] {
        var bytes: [UInt8] = []
        func add(_ value: some FixedWidthInteger) {
            withUnsafeBytes(of: value) { bytes.append(contentsOf: $0) }
        }
        func addLoopback() { bytes += [127, 0, 0, 1] + [UInt8](repeating: 0, count: 12) }
        add(UInt32(72))
        add(diagnosticType)
        add(UInt16(1))  // NLM_F_REQUEST
        add(UInt64(0))
        bytes += [UInt8(AF_INET), UInt8(IPPROTO_TCP), 1 << (UInt8(information) - 1), 0]
        add(UInt32.max)  // in every state
        add(clientPort.bigEndian)
        add(originPort.bigEndian)
        addLoopback()
        addLoopback()
        add(UInt32(0))
        add(UInt64.max)  // whatever its cookie
        return bytes
    }
}
