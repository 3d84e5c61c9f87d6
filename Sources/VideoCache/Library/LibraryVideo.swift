public import Foundation

/// One video of the offline library's list (O2).
public struct LibraryVideo: Sendable, Hashable {
    /// Names the video for ever; no two videos of a list have the same.
    public var id: UUID
    /// The title.
    public var title: String
    /// What the video is about; nil when nobody says.
    public var description: String?
    /// Where the video is.
    public var url: String
    /// Where its image is; nil when there is none.
    public var thumbnailURL: String?
    /// How long it plays, in seconds; nil when not known.
    public var duration: Double?

    /// A video as given.
    public init(
        id: UUID, title: String, description: String? = nil, url: String,
        thumbnailURL: String? = nil, duration: Double? = nil
    ) {
        self.id = id
        self.title = title
        self.description = description
        self.url = url
        self.thumbnailURL = thumbnailURL
        self.duration = duration
    }
}

/// A list of videos as a store keeps it, and when it was saved.
public struct CachedVideoList: Sendable, Hashable {
    /// The videos, in the order in which they were saved (O2).
    public var videos: [LibraryVideo]
    /// When the list was saved; stores keep it to the microsecond.
    public var timestamp: Date

    /// A list as given.
    public init(videos: [LibraryVideo], timestamp: Date) {
        self.videos = videos
        self.timestamp = timestamp
    }

    /// Throws when a store could not give back exactly this list.
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
