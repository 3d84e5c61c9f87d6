public import Foundation

/// One video of the offline library's list (O2).
public struct LibraryVideo: Sendable, Hashable {
    /// Identifies the video permanently; unique within a list.
    public var id: UUID
    /// The title.
    public var title: String
    /// A description; nil if there is none.
    public var description: String?
    /// The video's URL.
    public var url: String
    /// The URL of its image; nil if there is none.
    public var thumbnailURL: String?
    /// The duration in seconds; nil if it is unknown.
    public var duration: Double?

    /// Creates a video with the given values.
    public init(
        id: UUID, title: String, description: String? = nil, url: String,
        thumbnailURL: String? = nil, duration: Double? = nil
    ) {
        (self.id, self.title, self.description, self.url) = (id, title, description, url)
        (self.thumbnailURL, self.duration) = (thumbnailURL, duration)
    }
}

/// A stored list of videos, and when it was saved.
public struct CachedVideoList: Sendable, Hashable {
    /// The videos, in the order in which they were saved (O2).
    public var videos: [LibraryVideo]
    /// When the list was saved; stores preserve microseconds.
    public var timestamp: Date

    /// Creates a list with the given values.
    public init(videos: [LibraryVideo], timestamp: Date) {
        (self.videos, self.timestamp) = (videos, timestamp)
    }

    /// Throws if a store could not return exactly this list.
    func expectStorable() throws(LibraryError) {
        var seen = Set<UUID>()
        for video in videos {
            guard seen.insert(video.id).inserted else {
                throw .unstorable(reason: "two videos have the id \(video.id)")
            }
            guard video.duration?.isFinite ?? true else {
                throw .unstorable(reason: "video \(video.id) has an endless duration")
            }
            let texts = [video.title, video.description, video.url, video.thumbnailURL]
            guard !texts.contains(where: { $0?.utf8.contains(0) ?? false }) else {
                throw .unstorable(reason: "a text of video \(video.id) holds a null character")
            }
        }
        guard timestamp.timeIntervalSince1970.isFinite else {
            throw .unstorable(reason: "the timestamp is no moment")
        }
    }
}
