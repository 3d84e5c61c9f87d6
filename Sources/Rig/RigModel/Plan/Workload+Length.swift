extension Workload {
    /// The number of byte positions of the workload, laid end to end.
    ///
    /// - Parameters:
    ///   - videoLength: the length of each video.
    ///   - policies: the run's policies; their smallest threshold bounds the images.
    /// - Returns: how many positions there are.
    package func length(videoLength: Int64, policies: [Policy]) -> Int64 {
        self == .offlineLibrary
            ? LibraryPlan(policies).length : videoLength * Int64(videoCount)
    }
}

extension LibraryPlan {
    /// The lists and images of `offline-library`: no image is larger than the smallest threshold,
    /// so that threshold × active requests bounds the data in flight.
    package init(_ policies: [Policy]) {
        self.init(largest: policies.compactMap(\.threshold?.bytes).min() ?? 512 << 10)
    }
}
