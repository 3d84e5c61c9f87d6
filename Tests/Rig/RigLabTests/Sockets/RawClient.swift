#if os(Linux)
    import Foundation

    /// A client made of one plain socket, which reads exactly what a test asks for.
    ///
    /// Its calls block, so they are made on a separate thread.
    final class RawClient: Sendable {
        /// Why a client could not connect.
        struct Failure: Error {
            let call: String
            let reason: String
        }

        let descriptor: Int32
        /// The local port.
        let port: UInt16

        /// Connects to a port of 127.0.0.1, from a local port if one is given.
        ///
        /// Otherwise it is bound to an unshared port. A port that `connect` chooses may be shared
        /// with sockets of other tests that are connected elsewhere; binding to it again then
        /// failed with "Address already in use", in about one of ten runs.
        init(to origin: UInt16, from own: UInt16 = 0) throws {
            // A program that another test starts must not inherit the socket, and keep it open.
            let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
            descriptor = socket(AF_INET, kind, 0)
            var isOn: Int32 = 1
            setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &isOn, 4)
            var patience = timeval(tv_sec: 30, tv_usec: 0)
            setsockopt(
                descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience,
                socklen_t(MemoryLayout<timeval>.size))
            var address = Self.address(own)
            let size = socklen_t(MemoryLayout<sockaddr_in>.size)
            let fd = descriptor
            func with(_ name: String, _ call: (UnsafeMutablePointer<sockaddr>) -> Int32) throws {
                let result = withUnsafeMutablePointer(to: &address) {
                    $0.withMemoryRebound(to: sockaddr.self, capacity: 1, call)
                }
                guard result != 0 else { return }
                let reason = String(cString: strerror(errno))
                throw Failure(call: "\(name), from port \(own) to \(origin)", reason: reason)
            }
            try with("bind") { bind(fd, $0, size) }
            var length = size
            try with("getsockname") { getsockname(fd, $0, &length) }
            port = UInt16(bigEndian: address.sin_port)
            address = Self.address(origin)
            try with("connect") { connect(fd, $0, size) }
        }

        private static func address(_ port: UInt16) -> sockaddr_in {
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_port = port.bigEndian
            address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
            return address
        }

        /// Sends a request, and reads nothing.
        func ask(_ path: String, range: String? = nil, method: String = "GET") {
            let fields = ["Host: 127.0.0.1"] + (range.map { ["Range: bytes=\($0)"] } ?? [])
            let lines = ["\(method) \(path) HTTP/1.1"] + fields + ["", ""]
            let bytes = Array(lines.joined(separator: "\r\n").utf8)
            _ = send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL))
        }

        /// Reads this many bytes, fewer only at the end of the stream.
        @discardableResult
        func read(_ count: Int) -> [UInt8] {
            var bytes = [UInt8](repeating: 0, count: count)
            var done = 0
            while done < count {
                let got = bytes.withUnsafeMutableBytes {
                    recv(descriptor, $0.baseAddress.map { $0 + done }, count - done, 0)
                }
                if got <= 0 { break }
                done += got
            }
            return Array(bytes[..<done])
        }

        /// Reads a head, and no byte beyond it.
        func readHead() {
            var last: [UInt8] = []
            while last.suffix(4) != Array("\r\n\r\n".utf8) {
                let byte = read(1)
                if byte.isEmpty { return }
                last += byte
            }
        }

        /// Waits until there is a byte to read, without reading it.
        func waitForMore() throws {
            var byte: UInt8 = 0
            guard recv(descriptor, &byte, 1, Int32(MSG_PEEK)) == 1 else {
                throw Failure(call: "recv", reason: String(cString: strerror(errno)))
            }
        }

        /// Closes the socket with a reset, so that the kernel forgets what it had received.
        func abort() {
            var now = linger(l_onoff: 1, l_linger: 0)
            setsockopt(
                descriptor, SOL_SOCKET, SO_LINGER, &now, socklen_t(MemoryLayout<linger>.size))
            close(descriptor)
        }

        /// Closes the socket; unread bytes are lost.
        func end() { close(descriptor) }
    }
#endif
