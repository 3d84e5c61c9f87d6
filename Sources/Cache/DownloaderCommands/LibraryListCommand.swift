internal import ArgumentParser
internal import Foundation
internal import OfflineLibrary
internal import VideoCache

struct LibraryListCommand: ProgramCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "Show the saved list, without the network.",
        discussion: """
            Exit codes: 0 there is a list; 65 it is expired; 66 there is none.

            Examples:
              downloader library list --library films
              downloader library list --library films --feed https://host/list
            """)

    @OptionGroup var place: LibraryOptions

    @Option(
        help: ArgumentHelp(
            "Try this feed first, and show the saved list when that fails.", valueName: "url"))
    var feed: FeedArgument?

    @OptionGroup var origin: OriginOptions

    @Flag(help: "Write JSON.")
    var json = false

    func run(in program: DownloaderProgram) throws {
        let (database, canSave) = try open()
        let files = try FileImageStore(folder: place.library, access: .readOnly)
        let library = LocalVideoLibrary(store: database, now: program.now)
        if let feed, canSave { try update(library, from: feed) }
        let state = try library.state()
        try database.close()
        let listing = LibraryListing(state, images: files)
        if json { try StandardStreams.writeResult(try listing.json()) }
        switch state {
        case .absent: throw LibraryListError.absent(folder: place.library)
        case .expired(let list):
            throw LibraryListError.expired(
                folder: place.library, saved: list.timestamp.formatted(.iso8601))
        case .valid: if !json { try StandardStreams.writeResult(listing.text) }
        }
    }

    /// Opens the library to save the feed's list, or else, as without a feed, to show the saved one.
    private func open() throws(LibraryError) -> (database: SQLiteVideoStore, canSave: Bool) {
        do throws(LibraryError) {
            if feed != nil { return (try SQLiteVideoStore(folder: place.library), true) }
        } catch {
            guard let saved = try? SQLiteVideoStore(folder: place.library, access: .readOnly) else {
                throw error
            }
            StandardError.write("downloader: \(error); this is the saved list\n")
            return (saved, false)
        }
        return (try SQLiteVideoStore(folder: place.library, access: .readOnly), false)
    }

    private func update(_ library: LocalVideoLibrary, from feed: FeedArgument) throws {
        let interruption = try Interruption()
        let remote = RemoteVideoListLoader(
            url: feed.url, transport: try origin.transport(),
            cancellation: interruption.cancellation)
        let loader = FallbackVideoListLoader(
            SavingVideoListLoader(remote, into: library), fallback: library,
            onFailure: { StandardError.write("downloader: \($0); this is the saved list\n") })
        do {
            _ = try loader.load()
        } catch TransportError.cancelled {
            throw ExitCode(interruption.exitCode)
        }
    }
}

struct LibraryListing: Encodable {
    struct Video: Encodable {
        var id: UUID
        var title: String
        var description: String?
        var url: String
        var thumbnailURL: String?
        var duration: Double?
        /// The file that contains the image; nil if it does not exist.
        var thumbnailPath: String?
    }

    var state: String
    var timestamp: String?
    var videos: [Video]

    init(_ state: LocalVideoLibrary.State, images: FileImageStore) {
        switch state {
        case .absent: (self.state, timestamp, videos) = ("absent", nil, [])
        case .expired(let list):
            (self.state, timestamp, videos) = ("expired", list.timestamp.formatted(.iso8601), [])
        case .valid(let list):
            (self.state, timestamp) = ("valid", list.timestamp.formatted(.iso8601))
            videos = list.videos.map { video in
                let image = video.thumbnailURL.flatMap {
                    images.contains($0) ? images.path(of: $0) : nil
                }
                return Video(
                    id: video.id, title: video.title, description: video.description,
                    url: video.url, thumbnailURL: video.thumbnailURL, duration: video.duration,
                    thumbnailPath: image)
            }
        }
    }

    var text: String {
        let lines = videos.flatMap { video in
            let duration = video.duration.map { ", \(($0 * 10).rounded() / 10) s" } ?? ""
            return [
                video.title.shown() + duration,
                "  url    \(video.url.shown())",
                "  image  \(video.thumbnailPath ?? (video.thumbnailURL == nil ? "none" : "not fetched"))",
            ]
        }
        let total = "\(videos.count) videos, saved at \(timestamp ?? "")"
        return (lines + [total]).joined(separator: "\n")
    }
}
