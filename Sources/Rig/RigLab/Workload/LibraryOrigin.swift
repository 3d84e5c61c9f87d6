internal import CXXHash
internal import Fixture
internal import FixtureOrigin
internal import Foundation
internal import RigModel
internal import Witness

/// The URLs of a run's lists and images, and where their bytes lie in the position space.
struct LibraryAddresses: Sendable {
    let plan: LibraryPlan
    /// The base URL, such as `http://127.0.0.1:4711/12`.
    let base: String

    var feed: String { base + "/feed.json" }

    func video(_ video: PlannedVideo) -> String { "\(base)/videos/\(video.file)" }

    /// The path of an image, without a query.
    static func imagePath(_ number: Int) -> String { "/images/\(number).jpg" }

    /// The URL of an image; one of them is longer than a file name may be (O6).
    func image(_ number: Int) -> String {
        base + Self.imagePath(number)
            + (number == 2 ? "?signature=" + String(repeating: "0123456789abcdef", count: 32) : "")
    }

    /// The name under which a library keeps an image: XXH3-128 of its URL, 32 hex digits.
    func imageFile(_ number: Int) -> String {
        let url = Array(image(number).utf8)
        let hash = XXH3_128bits(url, url.count)
        return [hash.high64, hash.low64].map { word in
            let digits = String(word, radix: 16)
            return String(repeating: "0", count: 16 - digits.count) + digits
        }.joined()
    }

    /// The generation that the nth request for the list gets, with n from 0.
    static func generation(ofRequest earlier: Int) -> Int {
        min(earlier + 1, LibraryPlan.generations)
    }

    /// Places a request of the witness page in the position space; at -1 if its URL is unknown.
    var placement: WitnessWatch.Placement {
        let plan = plan
        let feed = WitnessLayout.resource(of: feed)
        let images = Dictionary(
            uniqueKeysWithValues: (0..<LibraryPlan.imageCount).map {
                (WitnessLayout.resource(of: image($0)), plan.imageRange($0).lowerBound)
            })
        return { record, earlier in
            let request = WitnessedRequest(record)
            if record.resource == feed {
                let generation = Self.generation(ofRequest: earlier)
                return request.moved(to: plan.listRange(generation)?.lowerBound ?? -1)
            }
            return request.moved(to: images[record.resource] ?? -1)
        }
    }

    /// The JSON of a generation's list, padded with blanks to its fixed size.
    func json(_ generation: Int) throws -> [UInt8] {
        struct Feed: Encodable {
            struct Video: Encodable {
                let id: String
                let title: String
                let description: String?
                let url: String
                let thumbnail_url: String?
                let duration: Double?
            }
            let videos: [Video]
        }
        let feed = Feed(
            videos: plan.list(generation).map {
                Feed.Video(
                    id: $0.id, title: $0.title, description: $0.description, url: video($0),
                    thumbnail_url: $0.image.map(image), duration: $0.duration)
            })
        let text = [UInt8](try JSONEncoder().encode(feed))
        let blanks = max(0, Int(LibraryPlan.listBytes) - text.count)
        return text + [UInt8](repeating: UInt8(ascii: " "), count: blanks)
    }
}

/// The mounts of one run: a feed that serves another list at each request, and the images.
struct LibraryOrigin: Sendable {
    let addresses: LibraryAddresses
    let feed: Mount
    let images: [Mount]

    /// Mounts everything.
    ///
    /// - Parameters:
    ///   - path: the prefix of every path.
    ///   - lists: the feed's bytes for each request in turn; the last list is served from then on.
    ///   - pictures: the images' bytes, by number.
    ///   - addresses: the addresses under the same path.
    init(
        on origin: FixtureOrigin, at path: String, lists: [MemoryVideo], pictures: [MemoryVideo],
        addresses: LibraryAddresses
    ) {
        self.addresses = addresses
        feed = origin.mount(at: path + "/feed.json") { request in
            Resource(
                source: lists[min(request, lists.count) - 1], contentType: "application/json")
        }
        images = pictures.enumerated().map { number, picture in
            origin.mount(
                Resource(source: picture, contentType: "image/jpeg"),
                at: path + LibraryAddresses.imagePath(number))
        }
    }

    var mounts: [Mount] { [feed] + images }

    /// Where the bytes of each answer lie in the position space.
    ///
    /// - Parameter generation: the generation that the first request for the list gets.
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

    /// Where a list begins; the last list is served repeatedly.
    private static func start(
        ofList number: Int, from generation: Int, in plan: LibraryPlan
    ) -> Int64 {
        let number = min(number, max(generation, LibraryPlan.generations))
        return plan.listRange(number)?.lowerBound ?? 0
    }

    /// Every request, placed in the position space.
    ///
    /// - Parameter generation: the generation that the first request for the list got.
    /// - Returns: the requests for the lists, then those for the images.
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
