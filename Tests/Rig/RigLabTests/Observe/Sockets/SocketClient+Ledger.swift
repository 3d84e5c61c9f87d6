import Foundation
import TestSupport

extension SocketClient {
    /// Connects to a port of 127.0.0.1, from a local port if one is given, else from an unshared one.
    convenience init(to origin: UInt16, from own: UInt16 = 0) throws {
        try self.init(port: origin, from: own)
    }

    /// Sends a request, and reads nothing.
    func ask(_ path: String, range: String? = nil, method: String = "GET") {
        send(method, path, range.map { ["Range: bytes=\($0)"] } ?? [])
    }

    /// Reads what is left of a head, whatever it says, and no byte beyond it.
    func skipHead() { _ = try? readHead() }

    /// Sends a request, and reads the head of its answer and this many bytes of the body.
    func take(_ path: String, range: String? = nil, method: String = "GET", reading count: Int = 0)
    {
        ask(path, range: range, method: method)
        skipHead()
        _ = try? read(count)
    }

    /// Waits until there is a byte to read, without reading it.
    func waitForMore() throws {
        var byte: UInt8 = 0
        guard recv(descriptor, &byte, 1, Int32(MSG_PEEK)) == 1 else { throw Failure.ended }
    }
}
