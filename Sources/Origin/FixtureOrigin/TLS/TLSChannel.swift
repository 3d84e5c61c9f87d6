internal import COpenSSL
internal import LoopbackHTTP
internal import Synchronization

/// TLS on one connection of the origin, which knows what each record holds.
final class TLSChannel: SecureChannel {
    /// The longest text of a record (RFC 8446, 5.1).
    private static let recordSize = 16384

    /// The longest text of a record of a connection: a client may ask for less (RFC 6066, 4), in
    /// steps of 512 bytes, 1 KB, 2 KB and 4 KB.
    private static func recordSize(of ssl: OpaquePointer) -> Int {
        let step = SSL_SESSION_get_max_fragment_length(SSL_get_session(ssl))
        return (1...4).contains(step) ? 256 << Int(step) : recordSize
    }

    /// OpenSSL's side of the connection, between two buffers: what has arrived, what is to go.
    private struct Session: ~Copyable, Sendable {
        // Safe because only the holder of the lock uses it.
        nonisolated(unsafe) let ssl: OpaquePointer
        // Safe for the same reason.
        nonisolated(unsafe) let arrived: OpaquePointer
        // Safe for the same reason.
        nonisolated(unsafe) let sent: OpaquePointer

        init(_ context: OpaquePointer) {
            guard let ssl = SSL_new(context), let arrived = BIO_new(BIO_s_mem()),
                let sent = BIO_new(BIO_s_mem())
            else { preconditionFailure("OpenSSL has no memory for a connection") }
            self.ssl = ssl
            self.arrived = arrived
            self.sent = sent
            // It owns both from now on.
            SSL_set_bio(ssl, arrived, sent)
            SSL_set_accept_state(ssl)
        }

        deinit { SSL_free(ssl) }
    }

    let records = RecordMap()
    private let session: Mutex<Session>

    init(_ context: OpaquePointer) { session = Mutex(Session(context)) }

    func receive(_ bytes: [UInt8]) -> ReceivedBytes {
        session.withLock { session in
            _ = BIO_write(session.arrived, bytes, Int32(bytes.count))
            var plaintext: [UInt8] = []
            var buffer = [UInt8](repeating: 0, count: Self.recordSize)
            while true {
                // SSL_get_error also looks at what other connections have left on this thread.
                ERR_clear_error()
                let count = SSL_read(session.ssl, &buffer, Int32(buffer.count))
                if count > 0 {
                    plaintext += buffer.prefix(Int(count))
                    continue
                }
                let reply = Self.take(from: session.sent)
                records.add(reply.count, plaintext: 0)
                return ReceivedBytes(
                    plaintext: plaintext, reply: reply,
                    isLast: SSL_get_error(session.ssl, count) != SSL_ERROR_WANT_READ)
            }
        }
    }

    func encrypt(_ plaintext: ArraySlice<UInt8>) throws -> [UInt8] {
        try session.withLock { session in
            var encrypted: [UInt8] = []
            var rest = plaintext
            let size = Self.recordSize(of: session.ssl)
            while !rest.isEmpty {
                let text = rest.prefix(size)
                rest = rest.dropFirst(text.count)
                ERR_clear_error()
                let count = text.withUnsafeBytes {
                    SSL_write(session.ssl, $0.baseAddress, Int32($0.count))
                }
                guard count == text.count else { throw OpenSSLError("encrypt an answer") }
                let record = Self.take(from: session.sent)
                records.add(record.count, plaintext: text.count)
                encrypted += record
            }
            return encrypted
        }
    }

    func end() -> [UInt8] {
        session.withLock { session in
            SSL_shutdown(session.ssl)
            ERR_clear_error()
            let alert = Self.take(from: session.sent)
            records.add(alert.count, plaintext: 0)
            return alert
        }
    }

    static func take(from buffer: OpaquePointer) -> [UInt8] {
        let count = BIO_ctrl_pending(buffer)
        guard count > 0 else { return [] }
        return [UInt8](unsafeUninitializedCapacity: count) { bytes, read in
            read = Int(max(0, BIO_read(buffer, bytes.baseAddress, Int32(count))))
        }
    }
}

/// What encrypts the connections of an origin: its certificate, and the rules of the handshake.
final class TLSEncryption: Sendable {
    // Safe because OpenSSL's context is complete after the initializer; connections may be made from
    // it on any thread.
    private nonisolated(unsafe) let context: OpaquePointer

    init(_ certificate: Certificate) throws(OpenSSLError) {
        let action = "set up TLS"
        context = try made(SSL_CTX_new(TLS_server_method()), action)
        try check(rig_require_tls12(context), action)
        try check(SSL_CTX_use_certificate(context, certificate.certificate), action)
        try check(SSL_CTX_use_PrivateKey(context, certificate.key), action)
        // Sessions that are resumed save nothing that is measured.
        try check(SSL_CTX_set_num_tickets(context, 0), action)
    }

    deinit { SSL_CTX_free(context) }

    var secure: LoopbackServer.Secure {
        { [self] in TLSChannel(context) }
    }
}
