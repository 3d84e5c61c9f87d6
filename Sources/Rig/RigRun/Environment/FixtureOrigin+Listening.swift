package import FixtureOrigin
internal import RigLab
package import RigModel

extension FixtureOrigin {
    /// A listening origin.
    ///
    /// - Parameters:
    ///   - port: the port to listen on; 0 for any free one.
    ///   - faults: what goes wrong there.
    ///   - authority: signs its certificate; nil for an origin that does not speak TLS.
    /// - Returns: the origin.
    /// - Throws: ``RigError`` with exit code 69 when it cannot listen.
    package static func listening(
        port: UInt16 = 0, faults: [OriginFault], certifiedBy authority: RunAuthority? = nil
    ) async throws -> FixtureOrigin {
        do {
            let faults = OriginFaults(faults)
            let origin =
                if let authority {
                    try FixtureOrigin(
                        port: port, faults: faults, certifiedBy: authority.authority)
                } else {
                    FixtureOrigin(port: port, faults: faults)
                }
            try await origin.start()
            return origin
        } catch {
            throw RigError(.unavailable, "\(error)")
        }
    }
}
