internal import CXXHash
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
        return XXH3_128bits(url, url.count).digits
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

    func videos(_ generation: Int) -> [ListedVideo] {
        plan.list(generation).map {
            ListedVideo(
                id: $0.id, title: $0.title, description: $0.description, url: video($0),
                thumbnailURL: $0.image.map(image), duration: $0.duration)
        }
    }

    /// The JSON of a generation's list, padded with blanks to its fixed size.
    func json(_ generation: Int) throws -> [UInt8] {
        struct Feed: Encodable { let videos: [ListedVideo] }
        let encoder = JSONEncoder()
        encoder.keyEncodingStrategy = .convertToSnakeCase
        let text = [UInt8](try encoder.encode(Feed(videos: videos(generation))))
        let blanks = max(0, Int(LibraryPlan.listBytes) - text.count)
        return text + [UInt8](repeating: UInt8(ascii: " "), count: blanks)
    }
}

/// A video of a list, with every field that is served and compared.
struct ListedVideo: Hashable, Encodable {
    var id: String?
    var title: String?
    var description: String?
    var url: String?
    var thumbnailURL: String?
    var duration: Double?
}
