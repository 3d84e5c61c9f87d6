internal import Fixture
internal import FixtureOrigin
internal import RigModel

/// The mounts of one run: a feed that serves another list at each request, and the images.
struct LibraryOrigin: Sendable {
    let addresses: LibraryAddresses
    let feed: Mount
    let images: [Mount]

    /// Mounts everything; the feed serves each list once, and the last one from then on.
    init(
        on origin: FixtureOrigin, at path: String, lists: [MemoryVideo], pictures: [MemoryVideo],
        addresses: LibraryAddresses
    ) {
        self.addresses = addresses
        feed = origin.mount(at: path + "/feed.json") { request in
            Resource(source: lists[min(request, lists.count) - 1], contentType: "application/json")
        }
        images = pictures.enumerated().map { number, picture in
            origin.mount(
                Resource(source: picture, contentType: "image/jpeg"),
                at: path + LibraryAddresses.imagePath(number))
        }
    }

    var mounts: [Mount] { [feed] + images }

    /// Where the bytes of each answer lie in the position space.
    func places(from generation: Int) -> FollowedMounts {
        let plan = addresses.plan
        var places: [String: FollowedMounts.Place] = [
            feed.path: { ordinal in
                Self.start(ofList: generation + ordinal - 1, from: generation, in: plan)
            }
        ]
        for (number, mount) in images.enumerated() {
            let start = plan.imageRange(number).lowerBound
            places[mount.path] = { _ in start }
        }
        return FollowedMounts(places: places)
    }

    private static func start(
        ofList number: Int, from generation: Int, in plan: LibraryPlan
    ) -> Int64 {
        let number = min(number, max(generation, LibraryPlan.generations))
        return plan.listRange(number)?.lowerBound ?? 0
    }

    /// The requests for the lists, then those for the images, placed in the position space.
    func served(from generation: Int) -> [ServedRequest] {
        let lists = feed.servedRequests().enumerated().map { index, request in
            request.moved(
                by: Self.start(ofList: generation + index, from: generation, in: addresses.plan))
        }
        return lists
            + images.enumerated().flatMap { number, mount in
                mount.servedRequests(at: addresses.plan.imageRange(number).lowerBound)
            }
    }
}

extension ServedRequest {
    fileprivate func moved(by base: Int64) -> ServedRequest {
        ServedRequest(
            requested: requested.lowerBound + base..<requested.upperBound + base,
            servedBytes: servedBytes)
    }
}

extension LibraryPlan {
    var pictures: [MemoryVideo] {
        imageBytes.enumerated().map { number, count in
            var random = SplitMix64(seed: UInt64(number))
            return MemoryVideo((0..<count).map { _ in UInt8(truncatingIfNeeded: random.next()) })
        }
    }
}
