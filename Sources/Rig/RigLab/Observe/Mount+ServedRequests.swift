internal import FixtureOrigin
internal import RigModel

extension Mount {
    /// The ledger in the model's terms; requests that asked for no bytes of the video are left out.
    ///
    /// - Parameter base: where the video begins in the space of several.
    /// - Returns: the requests, in the order in which they came.
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
