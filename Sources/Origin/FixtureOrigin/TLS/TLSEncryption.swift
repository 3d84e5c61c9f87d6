internal import COpenSSL
internal import LoopbackHTTP

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

    /// Encrypts each connection.
    var secure: LoopbackServer.Secure {
        { [self] in TLSChannel(context) }
    }
}
