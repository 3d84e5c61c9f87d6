internal import ArgumentParser
internal import Foundation
internal import VideoCache

/// Planted bugs, to prove that a test rig detects them; for tests only.
///
/// They wrap the library from outside: the library itself does not know them.
enum Sabotage: String, CaseIterable {
    /// Reports bytes as safe before their commit (breaks B5).
    case acknowledgeEarly = "acknowledge-early"
    /// Writes the third chunk one byte too far into the video (breaks C1).
    case shiftedChunk = "shifted-chunk"
    /// Flips a byte of the third chunk after its checksum was computed (breaks B5).
    case flippedByte = "flipped-byte"
    /// Checks the threshold only after the next read (breaks B1).
    case lateThreshold = "late-threshold"
    /// Saves nothing before the request ends (breaks B1).
    case neverCommit = "never-commit"
    /// Saves each read at once with a policy that saves nothing before the end (breaks B2).
    case disabledSaves = "disabled-saves"
    /// Fetches again what earlier launches have saved (breaks C8).
    case restart = "restart"
    /// Replaces the library's list in two transactions (breaks O4).
    case deleteThenInsert = "delete-then-insert"
    /// Writes the library's images under their final names (breaks O6).
    case imageInPlace = "image-in-place"
    /// Takes bytes of any version for bytes of the cached version (breaks C5).
    case stitchedVersions = "stitched-versions"
    /// Evicts a chunk's row but leaves its cached range (breaks B7, C6).
    case evictRowOnly = "evict-row-only"
    /// Drops chunks without announcing it, while others are evicted (breaks B5, C6).
    case vanishAsEviction = "vanish-as-eviction"
    /// Evicts the most recently used chunks, and announces it (breaks C6).
    case evictNewest = "evict-newest"
    /// Looks up chunks only at multiples of 64 KB (breaks C1).
    case strideLookup = "stride-lookup"
    /// Fetches everything twice at the same time, and counts both (breaks C7).
    case countedTwice = "counted-twice"
    /// Removes the newest chunk and saves it again when it opens an existing cache, so that a kill
    /// of the launch in between loses it (breaks B6).
    case recoveryDrops = "recovery-drops"
    /// Reports that a commit survives a power cut, but syncs nothing (breaks B5, T11).
    case missingFdatasync = "missing-fdatasync"
    /// Reports received bytes only when they are saved, so that none seem lost (breaks B1).
    case noteLate = "note-late"
    /// Never reports the end of a request, so that each one adds a threshold to the allowed loss
    /// (breaks B1).
    case endlessRequests = "endless-requests"

    /// The planted bug that the environment names; nil if it names none.
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

    /// The capacity for the library's own store; nil if the bug enforces the capacity itself.
    func capacity(_ capacity: Int64) -> Int64? {
        [.evictRowOnly, .evictNewest].contains(self) ? nil : capacity
    }

    /// Wraps a store.
    ///
    /// - Parameters:
    ///   - store: the library's own store.
    ///   - capacity: the capacity given to the command; nil for no limit.
    ///   - observer: is told what is evicted.
    /// - Returns: the store to use instead.
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

/// Checks the threshold only after one more read has exceeded it.
private struct LateSchedule: SaveSchedule {
    let base: any SaveSchedule
    var readSize: Int { base.readSize }
    var capacity: Int? { base.capacity.map { $0 + readSize } }
    func shouldSave(unsaved: Int) -> Bool { base.capacity.map { unsaved > $0 } ?? false }
}

/// Never requires a save.
private struct NeverSchedule: SaveSchedule {
    let base: any SaveSchedule
    var readSize: Int { base.readSize }
    var capacity: Int? { nil }
    func shouldSave(unsaved: Int) -> Bool { false }
}

/// Requires a save after every read, if there is no other limit to unsaved bytes.
private struct EagerSchedule: SaveSchedule {
    let base: any SaveSchedule
    var readSize: Int { base.readSize }
    var capacity: Int? { base.capacity }
    func shouldSave(unsaved: Int) -> Bool {
        capacity == nil ? unsaved > 0 : base.shouldSave(unsaved: unsaved)
    }
}
