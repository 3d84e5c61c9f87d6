public import Foundation

/// The format of the feed that contains a list of videos: JSON in UTF-8.
///
/// ```json
/// {
///   "videos": [
///     {
///       "id": "6B29FC40-CA47-1067-B31D-00DD010662DA",
///       "title": "Big Buck Bunny",
///       "description": "A rabbit takes revenge.",
///       "url": "https://example.org/bunny.mp4",
///       "thumbnail_url": "https://example.org/bunny.jpg",
///       "duration": 596.5
///     }
///   ]
/// }
/// ```
///
/// | field | type | |
/// |---|---|---|
/// | `id` | UUID as text, in capitals or not | required, different for each video |
/// | `title` | text | required |
/// | `description` | text | may be absent or null |
/// | `url` | `http` or `https` address | required |
/// | `thumbnail_url` | `http` or `https` address | may be absent or null |
/// | `duration` | number of seconds, 0 or more | may be absent or null |
///
/// The feed's order is the list's order (O2). Other fields are ignored, so that a feed may grow. A
/// feed that breaks a rule is refused as a whole: half a list would replace a good one.
public enum VideoFeed {
    /// The largest size of a feed, in bytes.
    public static let maximumBytes = 16 << 20

    /// Parses a feed.
    ///
    /// - Parameters:
    ///   - data: the feed.
    ///   - url: its URL, for error texts.
    /// - Returns: the videos in order.
    /// - Throws: ``FeedError`` that names the wrong field.
    public static func videos(in data: Data, from url: String) throws(FeedError) -> [LibraryVideo] {
        let document: Document
        do {
            document = try JSONDecoder().decode(Document.self, from: data)
        } catch {
            throw feedError(error, url: url)
        }
        var seen = Set<UUID>()
        var videos: [LibraryVideo] = []
        for (index, item) in document.videos.enumerated() {
            let video = try video(item, at: index, url: url)
            guard seen.insert(video.id).inserted else {
                throw .duplicateID(url: url, id: video.id.uuidString)
            }
            videos.append(video)
        }
        return videos
    }

    private struct Document: Decodable {
        let videos: [Item]
    }

    private struct Item: Decodable {
        let id: String
        let title: String
        let description: String?
        let url: String
        let thumbnail_url: String?
        let duration: Double?
    }

    private static func video(
        _ item: Item, at index: Int, url: String
    ) throws(FeedError) -> LibraryVideo {
        func refuse(_ field: String, _ reason: String) -> FeedError {
            .malformed(url: url, field: "videos[\(index)].\(field)", reason: reason)
        }
        guard let id = UUID(uuidString: item.id) else { throw refuse("id", "is no UUID") }
        for (field, text) in [("title", item.title), ("description", item.description ?? "")]
        where text.utf8.contains(0) { throw refuse(field, "holds a null character") }
        guard isWebAddress(item.url) else { throw refuse("url", "is no http or https address") }
        guard item.thumbnail_url.map(isWebAddress) ?? true else {
            throw refuse("thumbnail_url", "is no http or https address")
        }
        guard item.duration.map({ $0 >= 0 && $0.isFinite }) ?? true else {
            throw refuse("duration", "is no number of seconds, 0 or more")
        }
        return LibraryVideo(
            id: id, title: item.title, description: item.description, url: item.url,
            thumbnailURL: item.thumbnail_url, duration: item.duration)
    }

    private static func isWebAddress(_ text: String) -> Bool {
        let address = text.lowercased()
        guard let scheme = ["http://", "https://"].first(where: address.hasPrefix) else {
            return false
        }
        return address.utf8.count > scheme.utf8.count
            && address.unicodeScalars.allSatisfy { $0.value > 0x20 && $0.value != 0x7F }
    }

    private static func feedError(_ error: any Error, url: String) -> FeedError {
        guard let error = error as? DecodingError else {
            return .notJSON(url: url, reason: "\(error)")
        }
        switch error {
        case .keyNotFound(let key, let context):
            return malformed(context.codingPath + [key], "is missing", url)
        case .valueNotFound(_, let context): return malformed(context.codingPath, "is null", url)
        case .typeMismatch(_, let context):
            return malformed(context.codingPath, "has the wrong type", url)
        case .dataCorrupted(let context) where context.codingPath.isEmpty:
            let detail = context.underlyingError as NSError?
            let words = detail?.userInfo[NSDebugDescriptionErrorKey] as? String
            return .notJSON(url: url, reason: words ?? context.debugDescription)
        case .dataCorrupted(let context):
            return malformed(context.codingPath, "cannot be read", url)
        @unknown default:
            return .notJSON(url: url, reason: "\(error)")
        }
    }

    private static func malformed(
        _ path: [any CodingKey], _ reason: String, _ url: String
    ) -> FeedError {
        let field = path.reduce("") { text, key in
            if let index = key.intValue { return "\(text)[\(index)]" }
            return text.isEmpty ? key.stringValue : "\(text).\(key.stringValue)"
        }
        return .malformed(url: url, field: field.isEmpty ? "the whole" : field, reason: reason)
    }
}
