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

    private final class Record: Sendable {
        let heads = Mutex<[String]>([])
    }

    private let socket: ListeningSocket
    private let record = Record()

    /// Creates a proxy that listens.
    package init(_ manner: Manner = ConnectProxy.usual) throws {
        socket = try ListeningSocket { [record] client in
            Self.serve(client, manner, record)
            close(client)
        }
    }

    /// The proxy's address, for `https_proxy`.
    package var address: String { "http://127.0.0.1:\(socket.port)" }

    /// The heads of all requests so far.
    package var requests: [String] { record.heads.withLock { $0 } }

    /// The number of tunnels to a port that were asked for.
    package func tunnels(to port: UInt16) -> Int {
        requests.count { $0.hasPrefix("CONNECT 127.0.0.1:\(port) ") }
    }

    private static func serve(_ client: Int32, _ manner: Manner, _ record: Record) {
        guard let head = ListeningSocket.readHead(client) else { return }
        record.heads.withLock { $0.append(head) }
        switch manner {
        case .refuses(let answer): ListeningSocket.send(Array(answer.utf8), to: client)
        case .opens(let heads):
            let place = head.split(separator: " ").dropFirst().first ?? ""
            let port = place.split(separator: ":").last.flatMap { UInt16($0) }
            guard let origin = port.flatMap({ ListeningSocket.connect(to: $0) }) else {
                ListeningSocket.send(Array("HTTP/1.1 502 No origin\r\n\r\n".utf8), to: client)
                return
            }
            for head in heads { ListeningSocket.send(Array("\(head)\r\n\r\n".utf8), to: client) }
            join(client, origin)
            close(origin)
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
    }

    private static func pass(from source: Int32, to target: Int32) {
        var piece = [UInt8](repeating: 0, count: 64 << 10)
        while case let count = recv(source, &piece, piece.count, 0), count > 0 {
            guard ListeningSocket.send(Array(piece[..<count]), to: target) else { break }
        }
        shutdown(source, Int32(SHUT_RD))
        shutdown(target, Int32(SHUT_WR))
    }
}
