/// The encryption of one connection, of which the server knows no more.
///
/// Calls come one after the other. What they return has to be sent in that order.
package protocol SecureChannel: Sendable {
    /// Takes bytes from the client.
    ///
    /// - Parameter bytes: what has arrived.
    /// - Returns: what the client says, which may be nothing, and what has to be sent in reply, such
    ///   as the next step of the handshake.
    /// - Throws: if the connection has to end, because the client refuses the certificate, for
    ///   example; `bytes` are no part of an encrypted connection, or their end.
    func receive(_ bytes: [UInt8]) throws -> (plaintext: [UInt8], reply: [UInt8])

    /// Encrypts what is to be sent.
    ///
    /// - Parameter plaintext: the bytes of the answer.
    /// - Returns: the bytes to send.
    /// - Throws: if the connection has to end.
    func encrypt(_ plaintext: ArraySlice<UInt8>) throws -> [UInt8]

    /// The last bytes to send: the announcement that nothing follows.
    func end() -> [UInt8]
}
