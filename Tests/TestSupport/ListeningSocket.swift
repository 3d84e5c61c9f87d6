import Foundation
import Synchronization

/// A listening socket on 127.0.0.1, for servers of tests that own every byte.
package final class ListeningSocket: Sendable {
    /// Its port.
    package let port: UInt16
    private let descriptor: Int32
    private let isOpen = IsOpen()

    /// Listens on a free port; `serve` has a thread for each client, and closes its socket.
    package init(serve: @escaping @Sendable (_ client: Int32) -> Void) throws {
        let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        let listener = socket(AF_INET, kind, 0)
        var address = sockaddr_in.loopback(port: 0)
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let size = length
        let isBound = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener, $0, size) == 0 && listen(listener, 64) == 0
                    && getsockname(listener, $0, &length) == 0
            }
        }
        guard isBound else { throw POSIXError(.EADDRNOTAVAIL) }
        descriptor = listener
        port = UInt16(bigEndian: address.sin_port)
        Thread.detachNewThread { [isOpen] in
            while case let client = accept(listener, nil, nil), client >= 0 {
                Thread.detachNewThread { serve(client) }
            }
            isOpen.value.withLock {
                $0 = false
                close(listener)
            }
        }
    }

    deinit { stop() }

    /// Stops accepting connections.
    ///
    /// Stopped a second time, by its end, it used to shut down the socket of another test that had
    /// got the number of its descriptor meanwhile.
    package func stop() {
        isOpen.value.withLock { if $0 { shutdown(descriptor, Int32(SHUT_RDWR)) } }
    }

    /// Whether the descriptor is still the listener's.
    private final class IsOpen: Sendable {
        let value = Mutex(true)
    }

    /// Connects to a port of 127.0.0.1; nil if nothing listens there.
    static func connect(to port: UInt16) -> Int32? {
        let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        let client = socket(AF_INET, kind, 0)
        let address = sockaddr_in.loopback(port: port)
        if address.given({ Foundation.connect(client, $0, $1) }) == 0 { return client }
        close(client)
        return nil
    }

    /// The head of a request, without the empty line, in Latin-1; nil if the client leaves before.
    package static func readHead(_ client: Int32) -> String? {
        var head = ""
        var byte: UInt8 = 0
        while !head.hasSuffix("\r\n\r\n") {
            guard recv(client, &byte, 1, 0) == 1 else { return nil }
            head.unicodeScalars.append(Unicode.Scalar(byte))
        }
        return String(head.unicodeScalars.dropLast(4))
    }

    /// Sends all bytes; false if the client has left.
    @discardableResult
    package static func send(_ bytes: [UInt8], to client: Int32) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes {
                Foundation.send(client, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }
}

extension sockaddr_in {
    /// A port of 127.0.0.1, or of another address.
    static func loopback(port: UInt16, host: UInt32 = 0x7F00_0001) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = host.bigEndian
        return address
    }

    /// The result of a call that takes the address and its size.
    func given(_ call: (UnsafePointer<sockaddr>, socklen_t) -> Int32) -> Int32 {
        withUnsafePointer(to: self) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                call($0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
    }
}
