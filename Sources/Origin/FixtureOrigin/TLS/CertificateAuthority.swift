internal import COpenSSL

/// A certificate authority for one run; its key is in memory only.
package final class CertificateAuthority: Sendable {
    package enum Flaw: Sendable, CaseIterable {
        case expired
        case otherHost
        /// It is signed by an authority that clients do not know.
        case unknownAuthority
    }

    /// The certificate that clients have to trust, as text (PEM).
    package let pem: String
    private let certificate: Certificate

    private static func authority(_ name: String) throws(OpenSSLError) -> Certificate {
        try Certificate(
            name: "\(name) authority", issuer: nil,
            extensions: [
                (NID_basic_constraints, "critical,CA:TRUE,pathlen:0"),
                (NID_key_usage, "critical,keyCertSign,cRLSign"),
                (NID_subject_key_identifier, "hash"),
            ])
    }

    package init() throws(OriginError) {
        do throws(OpenSSLError) {
            certificate = try Self.authority("rig's certificate")
            pem = try certificate.pem
        } catch {
            throw OriginError.tls("\(error)")
        }
    }

    /// What encrypts the connections of an origin on 127.0.0.1; clients accept it without a flaw.
    func encryption(with flaw: Flaw?) throws(OriginError) -> TLSEncryption {
        do throws(OpenSSLError) {
            let signer = try flaw == .unknownAuthority ? Self.authority("another") : certificate
            return try TLSEncryption(
                Certificate(
                    name: "rig's origin", issuer: signer,
                    extensions: [
                        (NID_basic_constraints, "critical,CA:FALSE"),
                        (NID_key_usage, "critical,digitalSignature"),
                        (NID_ext_key_usage, "serverAuth"), (NID_subject_key_identifier, "hash"),
                        (NID_authority_key_identifier, "keyid"),
                        (
                            NID_subject_alt_name,
                            flaw == .otherHost ? "DNS:other.invalid" : "IP:127.0.0.1,DNS:localhost"
                        ),
                    ], isExpired: flaw == .expired))
        } catch {
            throw OriginError.tls("\(error)")
        }
    }
}
