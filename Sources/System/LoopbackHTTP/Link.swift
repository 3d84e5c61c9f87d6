/// The way from a server to one client, which may be slow, or end early; calls come in turn.
package protocol Link: Sendable {
    /// Notes that what is sent next does not follow at once: the client has said something.
    func pause()

    /// Sends bytes by ``ClientConnection/sendAtOnce(_:)``; throws if the connection has to end.
    func send(_ bytes: ArraySlice<UInt8>, on connection: ClientConnection) async throws

    /// Prepares the connection for its close, which follows.
    func end(_ connection: ClientConnection) async
}
