import Synchronization

/// One version of a video: what the origin says about it, and its place in the store.
///
/// Bytes of two versions never mix: each request, save and reader belongs to one version. A new
/// version replaces the old one with its first commit, not before, so cached bytes stay until newer
/// ones can replace them (B5).
final class VideoVersion: Sendable {
    private enum Place {
        case stored(CachedVideo)
        case replacing(CachedVideo)
        case following(VideoVersion)
        case absent
        case unsaved
    }

    private struct State {
        var place: Place
        var information: ContentInformation
        var isEmpty: Bool
        var ignoresConditions = false
        var doubt = Doubt()
        var beginner: Int?
    }

    let url: String
    private let store: any ChunkStore
    private let state: Mutex<State>

    private init(
        _ place: Place, _ information: ContentInformation, url: String, in store: any ChunkStore,
        isEmpty: Bool = true
    ) {
        (self.url, self.store) = (url, store)
        state = Mutex(State(place: place, information: information, isEmpty: isEmpty))
    }

    /// Creates a version that is in the store; `isEmpty` if no byte of it is cached.
    convenience init(stored video: CachedVideo, in store: any ChunkStore, isEmpty: Bool = false) {
        self.init(.stored(video), video.information, url: video.url, in: store, isEmpty: isEmpty)
    }

    /// Creates a version that is not in the store, and will replace `old`.
    convenience init(
        _ information: ContentInformation, replacing old: CachedVideo?, url: String,
        in store: any ChunkStore
    ) {
        self.init(old.map(Place.replacing) ?? .absent, information, url: url, in: store)
    }

    /// The version's entry in the store; nil before its first commit.
    var video: CachedVideo? {
        state.withLock { state in if case .stored(let video) = state.place { video } else { nil } }
    }

    /// The store's entry for the video: this version, or the one that it will replace.
    var held: CachedVideo? {
        state.withLock { state in
            switch state.place {
            case .stored(let video), .replacing(let video): video
            case .following(let version): version.held
            case .absent, .unsaved: nil
            }
        }
    }

    /// Creates a version with the same information, without bytes, that will replace this one.
    func successor() -> VideoVersion {
        VideoVersion(.following(self), information, url: url, in: store)
    }

    var information: ContentInformation { state.withLock { $0.information } }

    /// True if bytes have arrived and the origin offers no way to get more of the same version.
    var cannotGoOn: Bool {
        state.withLock { state in
            !state.isEmpty && !state.information.isRecognizable && !state.information.acceptsRanges
        }
    }

    var end: Int64? { state.withLock { $0.information.length } }

    /// True while no byte of the version is cached or was returned.
    var isEmpty: Bool { state.withLock { $0.isEmpty } }
    func noteBytes() { state.withLock { $0.isEmpty = false } }

    /// Records that the origin answers a range request with the whole video.
    func noteRangesIgnored() { state.withLock { $0.information.acceptsRanges = false } }

    /// The validator for `If-Range`; nil if there is none, or the origin ignores the condition.
    var condition: String? {
        state.withLock { $0.ignoresConditions ? nil : $0.information.validator }
    }

    /// Records that the origin answers `If-Range` with the whole of this very version (K2).
    func noteConditionsIgnored() { state.withLock { $0.ignoresConditions = true } }

    /// What the store has of the video: of this version, or of the one that it will replace; a store
    /// that cannot be read has nothing that could be lost.
    var kept: Belief.Kept? {
        guard let held, let end = try? store.ranges(of: held).ranges.last?.end else { return nil }
        return Belief.Kept(information: held.information, end: end)
    }

    /// Saves chunks, and returns how many bytes were new; the first save stores the version (B5).
    func save(_ chunks: [Chunk]) throws(CacheError) -> Int64 {
        while let video {
            do {
                return try store.save(chunks, of: video)
            } catch .replaced where self.video != video {
                // Another request of this version has learnt its length meanwhile.
            }
        }
        return try state.withLock { state throws(CacheError) in
            try Self.settle(&state, chunks, url, store)
        }
    }

    /// Puts a version that turned out to be empty in the store.
    func settle() throws(CacheError) {
        guard video == nil, !isUnsaved else { return }
        _ = try save([])
    }

    private static func settle(
        _ state: inout State, _ chunks: [Chunk], _ url: String, _ store: any ChunkStore
    ) throws(CacheError) -> Int64 {
        switch state.place {
        case .stored(let video): return try store.save(chunks, of: video)
        case .replacing(let old):
            let new = try store.replace(old, with: state.information, holding: chunks)
            state.place = .stored(new.video)
            return new.stored
        case .following(let version): state.place = version.held.map(Place.replacing) ?? .absent
        case .unsaved: throw .noRoom(path: url, capacity: 0)
        case .absent: state.place = .stored(try store.store(state.information, url: url))
        }
        return try settle(&state, chunks, url, store)
    }

    /// A version that is played and never saved: the cache keeps one that comes in turn with it.
    static func unsaved(
        _ information: ContentInformation, url: String, in store: any ChunkStore
    ) -> VideoVersion {
        VideoVersion(.unsaved, information, url: url, in: store)
    }

    var isUnsaved: Bool {
        state.withLock { state in if case .unsaved = state.place { true } else { false } }
    }

    var doubt: Doubt {
        get { state.withLock { $0.doubt } }
        set { state.withLock { $0.doubt = newValue } }
    }

    /// True if only kept bytes can show that an answer is of this version.
    var isCompared: Bool {
        let facts = information
        return !facts.isRecognizable || facts.hasIdleTags || doubt.isOpen || doubt.isUnnamed
    }

    /// Begins a version of which nothing has come with the answer that comes first, whatever
    /// version that is of, or its repetition; false if another answer has begun it, with which this
    /// one has to be compared.
    func begin(with facts: ContentInformation, request: Int) throws(CacheError) -> Bool {
        try state.withLock { state throws(CacheError) in
            guard state.isEmpty, state.beginner ?? request == request else { return false }
            state.beginner = request
            let isUnnamed =
                facts.etag == nil && facts.lastModified == nil && state.information.validator != nil
            guard isUnnamed || state.information.contradicts(facts) else { return true }
            state.information.etag = facts.etag
            state.information.lastModified = facts.lastModified
            state.information.otherETags = []
            try Self.update(&state, url, store)
            return true
        }
    }

    /// True if a request other than the given one has begun the version, or bytes have come.
    func isBegun(besides request: Int) -> Bool {
        state.withLock { state in !state.isEmpty || state.beginner.map { $0 != request } ?? false }
    }

    /// Forgets which request has begun the version, when that has ended without a byte.
    func release(request: Int) {
        state.withLock { if $0.beginner == request { $0.beginner = nil } }
    }

    /// Records that an answer with these facts agreed with kept bytes.
    func agree(with facts: ContentInformation) throws(CacheError) {
        try state.withLock { state throws(CacheError) in
            let joined = state.information.joined(with: facts)
            guard joined != state.information else { return }
            state.information = joined
            try Self.update(&state, url, store)
        }
    }

    /// Stores changed information, unless another version has replaced this one.
    private static func update(
        _ state: inout State, _ url: String, _ store: any ChunkStore
    ) throws(CacheError) {
        guard case .stored(let video) = state.place, try store.video(url: url)?.id == video.id
        else { return }
        state.place = .stored(try store.store(state.information, url: url))
    }

    /// Records that the origin has confirmed the version, for as long as it says; written only
    /// where a later launch would notice, or the origin was asked.
    func renew(_ freshness: Freshness?, at now: Int64, isAnswer: Bool = false) {
        var new = freshness
        // What was stored before stays; it is only not to be used without asking.
        if new?.rules.remove(.noStore) != nil { new?.rules.insert(.asks) }
        state.withLock { state in
            let wasFresh = state.information.freshness?.standing(at: now) ?? .fresh == .fresh
            let isFresh = new?.standing(at: now) == .fresh
            guard isAnswer || !wasFresh && isFresh else { return }
            state.information.freshness = new
            guard case .stored(let video) = state.place,
                let current = try? store.video(url: url), current.id == video.id,
                let stored = try? store.store(state.information, url: url)
            else { return }
            state.place = .stored(stored)
        }
    }

    /// Records a length that was only known at a response's end.
    func learn(length: Int64) throws(CacheError) {
        try state.withLock { state throws(CacheError) in
            guard state.information.length == nil else { return }
            state.information.length = length
            try Self.update(&state, url, store)
        }
    }
}
