#if os(Linux)
    internal import Glibc

    /// Asks the kernel for the figures of sockets: a client of netlink's SOCK_DIAG (sock_diag(7)).
    ///
    /// A socket is asked for by its four-tuple: a dump would walk the kernel's whole table. Of a
    /// socket that ends, the kernel tells everybody who listens, with its last figures: what was not
    /// read when it was closed is still in them. Neither needs a privilege.
    final class SocketDiagnostics: SocketSource {
        private let originPort: UInt16
        private let questions: NetlinkSocket
        private let endings: NetlinkSocket

        /// The groups SKNLGRP_INET_TCP_DESTROY and SKNLGRP_INET6_TCP_DESTROY: a program may use a
        /// socket of the newer family for an address of the older one.
        private static let destroyed: UInt32 = 1 << 0 | 1 << 2

        /// Begins to listen for the ends of sockets that are connected to the origin.
        ///
        /// - Parameter originPort: the port that clients connect to.
        /// - Throws: ``SocketDiagnosticsError`` when the kernel lets nobody ask.
        init(originPort: UInt16) throws(SocketDiagnosticsError) {
            self.originPort = originPort
            questions = try NetlinkSocket(groups: 0)
            endings = try NetlinkSocket(groups: Self.destroyed)
            endings.keepOnly(remotePort: originPort)
        }

        /// One look at a socket.
        func look(clientPort: UInt16) -> SocketLook {
            let question = DiagnosticMessage.question(
                clientPort: clientPort, originPort: originPort)
            guard questions.send(question) else { return .failed }
            switch questions.receive({ DiagnosticMessage($0) }) {
            case .message(let answer?):
                guard answer.error == nil else {
                    return answer.error == -ENOENT ? .gone : .failed
                }
                guard answer.remotePort == originPort, answer.clientPort == clientPort,
                    let figures = answer.figures
                else { return .gone }
                return .open(figures)
            case .message(nil), .nothing, .overrun: return .failed
            }
        }

        /// The sockets that ended since the last call; nil when the kernel had more to tell than it
        /// could keep.
        func ended() -> [EndedSocket]? {
            var ended: [EndedSocket] = []
            while true {
                switch endings.receive({ DiagnosticMessage($0) }) {
                case .nothing: return ended
                case .overrun: return nil
                case .message(let message):
                    // A socket that is closed abruptly has no remote port any more.
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
        enum Received<Message> {
            case message(Message)
            case nothing
            /// Messages were dropped, because nobody took them in time.
            case overrun
        }

        private static let diagnostics: Int32 = 4  // NETLINK_SOCK_DIAG
        /// Room for the messages of some thousand sockets; the kernel may give less.
        private static let room: Int32 = 4 << 20
        /// More than any message has.
        private static let largest = 4096

        private let descriptor: Int32

        init(groups: UInt32) throws(SocketDiagnosticsError) {
            let kind = Int32(SOCK_RAW.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
            descriptor = socket(AF_NETLINK, kind, Self.diagnostics)
            guard descriptor >= 0 else { throw Self.refusal() }
            var room = Self.room
            let size = socklen_t(MemoryLayout<Int32>.size)
            // Only the privileged may have more than the system's limit.
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

        /// Has the kernel drop what is said of sockets connected elsewhere; those that are
        /// connected to nobody any more may have been to the port.
        ///
        /// A machine may close a great many of them, and what is dropped needs no room. Where the
        /// filter is refused, whoever reads has to look for itself, as it does anyway.
        func keepOnly(remotePort: UInt16) {
            var program = [
                // Load the port, which is in network order, as such code has it.
                FilterStep(
                    code: 0x28, jt: 0, jf: 0, k: UInt32(DiagnosticMessage.remotePortOffset)),
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

        /// Takes the next message, where there is one.
        func receive<Message>(
            _ read: (UnsafeRawBufferPointer) -> Message
        ) -> Received<Message> {
            withUnsafeTemporaryAllocation(byteCount: Self.largest, alignment: 8) { buffer in
                while true {
                    let count = recv(
                        descriptor, buffer.baseAddress, buffer.count, Int32(MSG_DONTWAIT))
                    if count < 0, errno == EINTR { continue }
                    if count < 0, errno == ENOBUFS { return .overrun }
                    guard count >= 0 else { return .nothing }
                    return .message(
                        read(UnsafeRawBufferPointer(rebasing: buffer[..<count])))
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

    /// A message of the kernel's about a TCP socket (`linux/inet_diag.h`).
    private struct DiagnosticMessage {
        let clientPort: UInt16
        let remotePort: UInt16
        /// The negative number of an error; nil when the message is about a socket.
        let error: Int32?
        /// Nil for what is left of a socket that was closed.
        let figures: SocketFigures?

        /// Where a message has the port that its socket is connected to.
        static let remotePortOffset = 22

        private static let errorType: UInt16 = 2  // NLMSG_ERROR
        private static let diagnosticType: UInt16 = 20  // SOCK_DIAG_BY_FAMILY
        private static let information: UInt16 = 2  // INET_DIAG_INFO
        private static let listening: UInt8 = 10  // TCP_LISTEN
        /// `tcpi_bytes_received` of `tcp_info`, since Linux 4.1.
        private static let bytesReceived = 128
        private static let attributes = 88

        /// Reads a message; nil when it is none of these.
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

        /// The question for the socket from a port of the loopback interface to the origin's.
        static func question(clientPort: UInt16, originPort: UInt16) -> [UInt8] {
            var bytes: [UInt8] = []
            func add(_ value: some FixedWidthInteger) {
                withUnsafeBytes(of: value) { bytes.append(contentsOf: $0) }
            }
            func addLoopback() {
                bytes += [127, 0, 0, 1] + [UInt8](repeating: 0, count: 12)
            }
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
#endif
