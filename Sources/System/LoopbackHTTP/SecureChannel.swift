/// The encryption of one connection; calls come in turn, and what they return is sent so.
package protocol SecureChannel: Sendable {
    func receive(_ bytes: [UInt8]) -> ReceivedBytes

    /// Encrypts what is to be sent; throws if the connection has to end.
    func encrypt(_ plaintext: ArraySlice<UInt8>) throws -> [UInt8]

    /// The last bytes to send: the announcement that nothing follows.
    func end() -> [UInt8]
}

/// What a client says on an encrypted connection.
package struct ReceivedBytes: Sendable {
    package let plaintext: [UInt8]
    /// What has to be sent in reply, such as the next step of the handshake, or why there is none.
    package let reply: [UInt8]
    /// True if nothing more can come: it has said so, it refuses the certificate, or its bytes are
    /// not those of an encrypted connection.
    package let isLast: Bool

    package init(plaintext: [UInt8], reply: [UInt8], isLast: Bool) {
        (self.plaintext, self.reply, self.isLast) = (plaintext, reply, isLast)
    }
}
