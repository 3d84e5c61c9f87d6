internal import ArgumentParser
internal import Foundation
internal import VideoCache

/// Bugs on purpose, so that a test rig can be seen to catch them; for tests only.
///
/// They are wrapped around the library from outside: the library itself knows none of them.
enum Sabotage: String, CaseIterable {
    /// Says that bytes are safe before their commit (breaks B5).
    case acknowledgeEarly = "acknowledge-early"
    /// Writes the third chunk one byte too far (breaks C1).
    case shiftedChunk = "shifted-chunk"
    /// Flips a byte of the third chunk after its checksum was taken (breaks B5).
    case flippedByte = "flipped-byte"
    /// Checks the threshold only after the next read (breaks B1).
    case lateThreshold = "late-threshold"
    /// Saves nothing before the request ends (breaks B1).
    case neverCommit = "never-commit"
    /// Saves each read at once where nothing is to be saved before the end (breaks B2).
    case disabledSaves = "disabled-saves"
    /// Fetches what earlier launches saved as if they had not (breaks C8).
    case restart = "restart"
    /// Replaces the library's list in two transactions (breaks O4).
    case deleteThenInsert = "delete-then-insert"
    /// Writes the library's images under their final names (breaks O6).
    case imageInPlace = "image-in-place"
    /// Takes bytes of any version for those of the version that is cached (breaks C5).
    case stitchedVersions = "stitched-versions"
    /// Evicts a chunk's row and leaves its range behind (breaks B7, C6).
    case evictRowOnly = "evict-row-only"
    /// Drops chunks that nothing says are to go, while others make room (breaks B5, C6).
    case vanishAsEviction = "vanish-as-eviction"
    /// Makes room with what was used last, and says so (breaks C6).
    case evictNewest = "evict-newest"
    /// Looks for chunks at multiples of 64 KB only (breaks C1).
    case strideLookup = "stride-lookup"
    /// Fetches everything a second time at the same time, and counts both (breaks C7).
    case countedTwice = "counted-twice"
    /// Takes the newest chunk out and puts it back when it opens what an earlier launch left, so that
    /// a launch which is killed meanwhile loses it (breaks B6).
    case recoveryDrops = "recovery-drops"
    /// Says that a commit survives a power cut, and syncs nothing (breaks B5, T11).
    case missingFdatasync = "missing-fdatasync"
    /// Notes what it received only when it is saved, so that nothing seems to be lost (breaks B1).
    case noteLate = "note-late"
    /// Never says that a request is over, so that each adds a threshold to what may be lost (breaks
    /// B1).
    case endlessRequests = "endless-requests"

    /// The bug that the environment asks for; nil asks for none.
    static func fromEnvironment() throws -> Self? {
        guard let name = ProcessInfo.processInfo.environment["DOWNLOADER_SABOTAGE"] else {
            return nil
        }
        guard let mode = Self(rawValue: name) else {
            let known = allCases.map(\.rawValue).joined(separator: ", ")
            throw ValidationError("DOWNLOADER_SABOTAGE=\(name) is unknown; use one of \(known).")
        }
        return mode
    }

    func observer(_ observer: any CacheObserver) -> any CacheObserver {
        switch self {
        case .acknowledgeEarly:
            SabotagedObserver(base: observer) { EarlyRequest(base: $0, start: $1) }
        case .noteLate: SabotagedObserver(base: observer) { base, _ in LateRequest(base: base) }
        case .endlessRequests:
            SabotagedObserver(base: observer) { base, _ in EndlessRequest(base: base) }
        default: observer
        }
    }

    /// The capacity that the library's own store is to keep; a bug may keep it in its place.
    func capacity(_ capacity: Int64) -> Int64? {
        [.evictRowOnly, .evictNewest].contains(self) ? nil : capacity
    }

    /// Wraps a store.
    ///
    /// - Parameters:
    ///   - store: the library's own.
    ///   - capacity: what the command was told to keep to; nil for no limit.
    ///   - observer: who is told what is evicted.
    /// - Returns: the store to use in its place.
    /// - Throws: what opening it throws.
    func store(
        _ store: SQLiteChunkStore, capacity: Int64? = nil,
        observer: any CacheObserver = SilentObserver()
    ) throws -> any ChunkStore {
        switch self {
        case .shiftedChunk: return SpoilingStore(base: store, spoils: .place)
        case .flippedByte: return SpoilingStore(base: store, spoils: .byte)
        case .restart: return try ForgetfulStore(base: store)
        case .recoveryDrops: return try RewritingStore(base: store)
        case .strideLookup: return StrideStore(base: store)
        case .vanishAsEviction:
            return capacity == nil ? store : VanishingStore(base: store)
        case .evictNewest:
            return capacity.map {
                NewestEvictingStore(base: store, capacity: $0, observer: observer)
            } ?? store
        case .evictRowOnly:
            return try capacity.map { try RowEvictingStore(base: store, capacity: $0) } ?? store
        default: return store
        }
    }

    func transport(
        _ transport: any HTTPTransport, observer: any CacheObserver
    ) -> any HTTPTransport {
        switch self {
        case .stitchedVersions: StitchingTransport(base: transport)
        case .countedTwice: TwinTransport(base: transport, observer: observer)
        default: transport
        }
    }

    func schedule(_ schedule: any SaveSchedule) -> any SaveSchedule {
        switch self {
        case .lateThreshold: LateSchedule(base: schedule)
        case .neverCommit: NeverSchedule(base: schedule)
        case .disabledSaves: EagerSchedule(base: schedule)
        default: schedule
        }
    }
}

/// Lets the unsaved bytes exceed the threshold by a read before it looks.
private struct LateSchedule: SaveSchedule {
    let base: any SaveSchedule
    var readSize: Int { base.readSize }
    var capacity: Int? { base.capacity.map { $0 + readSize } }
    func shouldSave(unsaved: Int) -> Bool { base.capacity.map { unsaved > $0 } ?? false }
}

/// Never says that it is time to save.
private struct NeverSchedule: SaveSchedule {
    let base: any SaveSchedule
    var readSize: Int { base.readSize }
    var capacity: Int? { nil }
    func shouldSave(unsaved: Int) -> Bool { false }
}

/// Takes every read for one that has to be saved, where nothing else limits what gathers.
private struct EagerSchedule: SaveSchedule {
    let base: any SaveSchedule
    var readSize: Int { base.readSize }
    var capacity: Int? { base.capacity }
    func shouldSave(unsaved: Int) -> Bool {
        capacity == nil ? unsaved > 0 : base.shouldSave(unsaved: unsaved)
    }
}
