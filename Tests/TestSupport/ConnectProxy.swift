import Foundation
import Synchronization

/// An HTTP proxy on a loopback socket that makes tunnels by CONNECT (RFC 9110, 9.3.6).
///
/// It knows nothing of what goes through them, as the proxies of companies.
package final class ConnectProxy: Sendable {
    /// How it answers a request for a tunnel.
    package enum Manner: Sendable, Hashable {
        /// With these heads, each without its empty line; then the tunnel is there.
        case opens([String])
        /// With this whole answer, and no tunnel.
        case refuses(String)
    }

    /// The head that most proxies send.
    package static let usual = Manner.opens(["HTTP/1.1 200 Connection established"])

    /// The proxy's port.
    package let port: UInt16
    private let listener: Int32
    private let manner: Manner
    private let asked = Mutex<[String]>([])

    /// Creates a proxy that listens.
    package init(_ manner: Manner = ConnectProxy.usual) throws {
        self.manner = manner
        listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var address = Self.loopback(port: 0)
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let (listener, size) = (listener, length)
        let result = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener, $0, size) == 0 && listen(listener, 64) == 0
                    && getsockname(listener, $0, &length) == 0
            }
        }
        guard result else { throw POSIXError(.EADDRNOTAVAIL) }
        port = UInt16(bigEndian: address.sin_port)
        Thread.detachNewThread { [weak self] in
            while case let client = accept(listener, nil, nil), client >= 0 {
                let proxy = self
                Thread.detachNewThread { proxy?.serve(client) }
            }
            close(listener)
        }
    }

    deinit { shutdown(listener, Int32(SHUT_RDWR)) }

    /// The proxy's address, for `https_proxy`.
    package var address: String { "http://127.0.0.1:\(port)" }

    /// The heads of all requests so far.
    package var requests: [String] { asked.withLock { $0 } }

    /// The number of tunnels to a port that were asked for.
    package func tunnels(to port: UInt16) -> Int {
        requests.count { $0.hasPrefix("CONNECT 127.0.0.1:\(port) ") }
    }

    private func serve(_ client: Int32) {
        guard let head = Self.readHead(client) else {
            close(client)
            return
        }
        asked.withLock { $0.append(head) }
        switch manner {
        case .refuses(let answer):
            _ = Self.send(Array(answer.utf8), to: client)
            close(client)
        case .opens(let heads):
            let place = head.split(separator: " ").dropFirst().first ?? ""
            guard let origin = Self.connect(to: place) else {
                _ = Self.send(Array("HTTP/1.1 502 No origin\r\n\r\n".utf8), to: client)
                close(client)
                return
            }
            for head in heads { _ = Self.send(Array("\(head)\r\n\r\n".utf8), to: client) }
            Self.join(client, origin)
        }
    }

    /// Passes bytes on in both directions, until both have ended.
    private static func join(_ client: Int32, _ origin: Int32) {
        let done = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            pass(from: client, to: origin)
            done.signal()
        }
        pass(from: origin, to: client)
        done.wait()
        close(client)
        close(origin)
    }

    private static func pass(from source: Int32, to target: Int32) {
        var piece = [UInt8](repeating: 0, count: 64 << 10)
        while case let count = recv(source, &piece, piece.count, 0), count > 0 {
            guard send(Array(piece[..<count]), to: target) else { break }
        }
        shutdown(source, Int32(SHUT_RD))
        shutdown(target, Int32(SHUT_WR))
    }

    /// The head of a request, without the empty line; nil if the client leaves before.
    private static func readHead(_ client: Int32) -> String? {
        var head: [UInt8] = []
        var byte: UInt8 = 0
        let end = Array("\r\n\r\n".utf8)
        while !head.suffix(4).elementsEqual(end) {
            guard recv(client, &byte, 1, 0) == 1 else { return nil }
            head.append(byte)
        }
        return String(decoding: head.dropLast(4), as: UTF8.self)
    }

    /// Connects to `127.0.0.1:PORT`, or `localhost:PORT`; nil if nothing listens there.
    private static func connect(to place: Substring) -> Int32? {
        guard let port = place.split(separator: ":").last.flatMap({ UInt16($0) }) else {
            return nil
        }
        let origin = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var address = loopback(port: port)
        let result = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Foundation.connect(origin, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        if result == 0 { return origin }
        close(origin)
        return nil
    }

    private static func loopback(port: UInt16) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return address
    }

    private static func send(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes {
                Foundation.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }
}
