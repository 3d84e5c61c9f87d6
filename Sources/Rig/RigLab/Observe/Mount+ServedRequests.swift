internal import FixtureOrigin
internal import RigModel

extension Mount {
    /// The requests that asked for bytes of the video, in order, in the model's terms.
    ///
    /// - Parameter base: where the video begins in the space of several.
    func servedRequests(at base: Int64 = 0) -> [ServedRequest] {
        ledger.compactMap { entry in
            entry.requested.map {
                ServedRequest(
                    requested: $0.lowerBound + base..<$0.upperBound + base,
                    servedBytes: Int64(entry.servedBytes))
            }
        }
    }
}
