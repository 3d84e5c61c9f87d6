package import FixtureOrigin
internal import RigLab
package import RigModel

extension FixtureOrigin {
    /// A listening origin.
    ///
    /// - Throws: ``RigError`` with exit code 69 when it cannot listen.
    package static func listening(port: UInt16 = 0, faults: [OriginFault]) async throws
        -> FixtureOrigin
    {
        let origin = FixtureOrigin(port: port, faults: OriginFaults(faults))
        do {
            try await origin.start()
        } catch {
            throw RigError(.unavailable, "\(error)")
        }
        return origin
    }
}
