import Synchronization

/// One version of a video: what the origin says about it, and its place in the store.
///
/// Bytes of two versions never meet: each request, each save and each reader belongs to one
/// version. A new version takes the old one's place with its first commit, and not before, so
/// that what is cached stays until something better is there (B5).
final class VideoVersion: Sendable {
    private enum Place {
        case stored(CachedVideo)
        case replacing(CachedVideo)
        case following(VideoVersion)
        case absent
    }

    private struct State {
        var place: Place
        var information: ContentInformation
        var end: Int64?
        var isEmpty: Bool
    }

    let url: String
    private let store: any ChunkStore
    private let state: Mutex<State>

    /// A version that the store has.
    ///
    /// - Parameters:
    ///   - video: the version as the store has it.
    ///   - store: where its bytes are kept.
    ///   - isEmpty: true when no byte of it is cached.
    init(stored video: CachedVideo, in store: any ChunkStore, isEmpty: Bool = false) {
        url = video.url
        self.store = store
        state = Mutex(
            State(
                place: .stored(video), information: video.information, end: nil, isEmpty: isEmpty))
    }

    /// A version that the store does not have, and which takes `old`'s place.
    init(
        _ information: ContentInformation, replacing old: CachedVideo?, url: String,
        in store: any ChunkStore
    ) {
        self.url = url
        self.store = store
        state = Mutex(
            State(
                place: old.map(Place.replacing) ?? .absent, information: information, end: nil,
                isEmpty: true))
    }

    /// The version as the store has it; nil before its first commit.
    var video: CachedVideo? {
        state.withLock { state in
            if case .stored(let video) = state.place { video } else { nil }
        }
    }

    /// What the store has in the version's place: itself, or what it is going to replace.
    var held: CachedVideo? {
        state.withLock { state in
            switch state.place {
            case .stored(let video), .replacing(let video): video
            case .following(let version): version.held
            case .absent: nil
            }
        }
    }

    /// A version of the same facts, without bytes, that takes the place of this one.
    func successor() -> VideoVersion {
        VideoVersion(following: self, in: store)
    }

    private init(following version: VideoVersion, in store: any ChunkStore) {
        url = version.url
        self.store = store
        state = Mutex(
            State(
                place: .following(version), information: version.information, end: nil,
                isEmpty: true))
    }

    /// What the origin says about the version.
    var information: ContentInformation { state.withLock { $0.information } }

    /// True when bytes have come, and the origin gives no means to have more of the same version.
    var cannotGoOn: Bool {
        state.withLock { state in
            !state.isEmpty && state.information.validator == nil
                && !state.information.acceptsRanges
        }
    }

    /// Where the bytes end, as far as anybody knows; the end of a body of unknown length counts.
    var end: Int64? { state.withLock { $0.information.length ?? $0.end } }

    /// True as long as no byte of the version is cached or was handed out.
    var isEmpty: Bool { state.withLock { $0.isEmpty } }

    /// Notes that a byte has come.
    func noteBytes() { state.withLock { $0.isEmpty = false } }

    /// Notes where a body without a length ended; the store is not told, for it may have been cut.
    func noteEnd(_ position: Int64) { state.withLock { $0.end = position } }

    /// Notes that the origin answers a request for a range with the whole.
    func noteRangesIgnored() { state.withLock { $0.information.acceptsRanges = false } }

    /// Saves chunks; the first ones put the version in its place (B5).
    ///
    /// - Returns: how many bytes were new.
    func save(_ chunks: [Chunk]) throws(CacheError) -> Int64 {
        if let video { return try store.save(chunks, of: video) }
        let result = state.withLock { state in
            Result { () throws(CacheError) in try Self.settle(&state, chunks, url, store) }
        }
        return try result.get()
    }

    /// Puts a version that turned out to be empty in its place.
    func settle() throws(CacheError) {
        guard video == nil else { return }
        _ = try save([])
    }

    private static func settle(
        _ state: inout State, _ chunks: [Chunk], _ url: String, _ store: any ChunkStore
    ) throws(CacheError) -> Int64 {
        let (video, stored): (CachedVideo, Int64)
        switch state.place {
        case .stored(let held):
            (video, stored) = (held, try store.save(chunks, of: held))
        case .replacing(let old):
            (video, stored) = try store.replace(old, with: state.information, holding: chunks)
        case .following(let version):
            state.place = version.held.map(Place.replacing) ?? .absent
            return try settle(&state, chunks, url, store)
        case .absent:
            let new = try store.store(state.information, url: url)
            state.place = .stored(new)
            (video, stored) = (new, try store.save(chunks, of: new))
        }
        state.place = .stored(video)
        return stored
    }

    /// Notes the length that only a response's end could tell.
    func learn(length: Int64) throws(CacheError) {
        let result = state.withLock { state -> Result<Void, CacheError> in
            guard state.information.length == nil else { return .success(()) }
            state.information.length = length
            guard case .stored(let video) = state.place else { return .success(()) }
            return Result { () throws(CacheError) in
                // Another version may have come in its place: its length is another matter.
                guard try store.video(url: url)?.id == video.id else { return }
                state.place = .stored(try store.store(state.information, url: url))
            }
        }
        try result.get()
    }
}
