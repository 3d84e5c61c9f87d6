package import FixtureOrigin
package import OriginFaults
internal import RigLab
internal import RigModel

extension FixtureOrigin {
    /// A listening origin.
    ///
    /// - Parameters:
    ///   - port: the port to listen on; 0 for any free one.
    ///   - authority: signs its certificate; nil for an origin that does not speak TLS.
    /// - Returns: the origin, which the rig itself has asked; in the place of one with faults or TLS
    ///   it has asked a plain one.
    package static func listening(
        port: UInt16 = 0, faults: [OriginFault], certifiedBy authority: RunAuthority? = nil
    ) async throws -> FixtureOrigin {
        let origin = try await started(port: port, faults: faults, certifiedBy: authority)
        do {
            guard !faults.isEmpty || authority != nil else {
                try await OriginProbe.ask(origin)
                return origin
            }
            // A question would use up what a fault counts, and the rig speaks no TLS.
            let plain = try await started(faults: [])
            do {
                try await OriginProbe.ask(plain)
            } catch {
                await plain.stop()
                throw error
            }
            await plain.stop()
            return origin
        } catch {
            await origin.stop()
            throw error
        }
    }

    private static func started(
        port: UInt16 = 0, faults: [OriginFault], certifiedBy authority: RunAuthority? = nil
    ) async throws -> FixtureOrigin {
        do {
            let origin =
                if let authority {
                    try FixtureOrigin(port: port, faults: faults, certifiedBy: authority.authority)
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
