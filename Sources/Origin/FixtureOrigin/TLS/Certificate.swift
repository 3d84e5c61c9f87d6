internal import COpenSSL

/// A certificate and its private key, both in memory only.
final class Certificate: Sendable {
    // Safe because a certificate is only read once it is complete, and OpenSSL counts its users.
    nonisolated(unsafe) let certificate: OpaquePointer
    // Safe for the same reason.
    nonisolated(unsafe) let key: OpaquePointer

    /// Longer than any run, and no longer than clients accept (825 days, Apple's limit).
    private static let validSeconds = 800 * 24 * 3600

    /// Issues a certificate on the curve P-256, valid from an hour ago for 800 days, or until a
    /// minute ago; it signs itself without an issuer, and its extensions are in the words of
    /// OpenSSL's configuration.
    init(
        name: String, issuer: Certificate?, extensions: [(name: Int32, value: String)],
        isExpired: Bool = false
    ) throws(OpenSSLError) {
        let action = "issue a certificate"
        let key = try made(rig_new_key(), action)
        guard let certificate = X509_new() else {
            EVP_PKEY_free(key)
            throw OpenSSLError(action)
        }
        // From here on, deinit frees them.
        self.key = key
        self.certificate = certificate
        try check(X509_set_version(certificate, 2), action)
        // Some clients refuse two certificates of one issuer's name with the same number, even in
        // different runs.
        var number: UInt64 = 0
        let size = Int32(MemoryLayout.size(ofValue: number))
        try check(
            withUnsafeMutableBytes(of: &number) {
                RAND_bytes($0.baseAddress?.assumingMemoryBound(to: UInt8.self), size)
            }, action)
        try check(ASN1_INTEGER_set_uint64(X509_get_serialNumber(certificate), number >> 1), action)
        X509_gmtime_adj(X509_getm_notBefore(certificate), -3600)
        X509_gmtime_adj(X509_getm_notAfter(certificate), isExpired ? -60 : Self.validSeconds)
        try check(X509_set_pubkey(certificate, key), action)
        let subject = X509_get_subject_name(certificate)
        try check(X509_NAME_add_entry_by_txt(subject, "CN", MBSTRING_UTF8, name, -1, -1, 0), action)
        let signer = issuer?.certificate ?? certificate
        try check(X509_set_issuer_name(certificate, X509_get_subject_name(signer)), action)
        for (name, value) in extensions {
            try check(rig_add_extension(certificate, signer, name, value), action)
        }
        try check(X509_sign(certificate, issuer?.key ?? key, EVP_sha256()), action)
    }

    deinit {
        X509_free(certificate)
        EVP_PKEY_free(key)
    }

    /// The certificate, without its key, as clients read it (RFC 7468).
    var pem: String {
        get throws(OpenSSLError) {
            let action = "write a certificate"
            let text = try made(BIO_new(BIO_s_mem()), action)
            defer { BIO_free(text) }
            try check(PEM_write_bio_X509(text, certificate), action)
            return String(decoding: TLSChannel.take(from: text), as: UTF8.self)
        }
    }
}

struct OpenSSLError: Error, CustomStringConvertible {
    let description: String

    /// The earliest error of this thread, and forgets the others.
    init(_ action: String) {
        var text = [CChar](repeating: 0, count: 256)
        let code = ERR_get_error()
        ERR_error_string_n(code, &text, text.count)
        ERR_clear_error()
        let said = text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
        description =
            "cannot \(action): \(code == 0 ? "unknown" : String(decoding: said, as: UTF8.self))"
    }
}

/// The value, unless OpenSSL has returned none.
func made<Value>(_ value: Value?, _ action: String) throws(OpenSSLError) -> Value {
    guard let value else { throw OpenSSLError(action) }
    return value
}

/// Checks the result of a call that returns 1 for success.
func check(_ result: Int32, _ action: String) throws(OpenSSLError) {
    guard result > 0 else { throw OpenSSLError(action) }
}
