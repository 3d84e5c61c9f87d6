package import FixtureOrigin
internal import Foundation
package import OriginFaults
internal import RigLab
package import RigModel

package struct RunAuthority: Sendable {
    let authority: CertificateAuthority
    package let file: String

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

extension FixtureOrigin {
    /// A listening origin, which the rig has asked, or a plain one in the place of it.
    package static func listening(
        port: UInt16 = 0, faults: [OriginFault], certifiedBy authority: RunAuthority? = nil
    ) async throws -> FixtureOrigin {
        // A question would use up what a fault counts, and the rig speaks no TLS.
        let isPlain = faults.isEmpty && authority == nil
        if !isPlain { try await listening(faults: []).stop() }
        let origin: FixtureOrigin
        do {
            origin =
                if let authority {
                    try FixtureOrigin(port: port, faults: faults, certifiedBy: authority.authority)
                } else {
                    FixtureOrigin(port: port, faults: faults)
                }
            try await origin.start()
        } catch {
            throw RigError(.unavailable, "\(error)")
        }
        guard isPlain else { return origin }
        do {
            try await OriginProbe.ask(origin)
            return origin
        } catch {
            await origin.stop()
            throw error
        }
    }
}
