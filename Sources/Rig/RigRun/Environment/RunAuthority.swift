internal import FixtureOrigin
internal import Foundation
internal import RigLab
package import RigModel

/// The certificate authority of a run whose origin speaks TLS, and its file for the workers.
package struct RunAuthority: Sendable {
    let authority: CertificateAuthority
    /// The file of its certificate.
    package let file: String

    /// Creates an authority, with its file in a folder that is created when absent.
    package init(in folder: String) throws(RigError) {
        do {
            authority = try CertificateAuthority()
        } catch {
            throw RigError(.unavailable, "\(error)")
        }
        file = "\(folder)/authority.pem"
        do {
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: true)
            try Data(authority.pem.utf8).write(to: URL(fileURLWithPath: file))
        } catch {
            throw RigError(.failure, "cannot write \(file): \(SystemFailure(error))")
        }
    }

    /// The environment variables by which programs are told of it: those of OpenSSL and so of Python
    /// and Ruby, of curl, of Python's requests, of Node.js, and of git.
    var variables: [String: String] {
        let names = [
            "SSL_CERT_FILE", "CURL_CA_BUNDLE", "REQUESTS_CA_BUNDLE", "NODE_EXTRA_CA_CERTS",
            "GIT_SSL_CAINFO",
        ]
        return Dictionary(uniqueKeysWithValues: names.map { ($0, file) })
    }
}
