/// The layout, version 3, of the witness page: a file that a worker maps and keeps up to date.
///
/// A shared mapping survives SIGKILL, so the worker's last writes can be read after its death. All
/// numbers are little-endian and naturally aligned; the file is ``pageSize`` bytes.
///
/// | offset | bytes | field |
/// |---|---|---|
/// | 0 | 8 | magic: the bytes `RIGWITN1`; written last, so a page without it is not valid |
/// | 8 | 4 | version: 3 |
/// | 12 | 4 | number of request slots: 1023 |
/// | 16 | 4 | phase: the index into ``WitnessPhase``, 0 = starting |
/// | 20 | 4 | not used |
/// | 24 | 8 | commits that have returned since the worker started |
/// | 32 | 8 | requests begun since the worker started |
/// | 40 | 8 | evictions announced since the worker started |
/// | 48 | 16 | not used |
/// | 64 | 80 | entries: for each phase, 8 bytes, how often it was entered from another phase |
/// | 144 | 8 | hold: written by the rig; 0 = none, else 256 × entry + phase |
/// | 152 | 8 | waiting: how many threads the hold keeps from leaving its phase |
/// | 160 | 96 | not used |
/// | 256 + 128 × slot | 128 | a request slot |
///
/// A worker that enters a phase stores the phase, then counts the entry. A new page has entered
/// `starting` once. The rig writes a hold, with the version, before it launches the worker, and a
/// worker that begins a page keeps it; under another version, the field is not a hold. The hold
/// "phase p, entry n" asks that the worker, once it has entered p for the n-th time, does not store
/// another phase, and does not end, until the hold is 0 again: it does all the work of the phase,
/// and is killed meanwhile or while it waits. A worker that ignores holds is killed a little after
/// the entry, wherever it is by then.
///
/// A request slot holds two records, so that a kill during an update leaves a valid one:
///
/// | offset in the slot | bytes | field |
/// |---|---|---|
/// | 0 | 8 | sequence: 0 = never used; its lowest bit tells which record is valid |
/// | 8 | 8 | resource: 64-bit FNV-1a hash of the URL |
/// | 16 | 40 | record for an even sequence |
/// | 56 | 40 | record for an odd sequence |
/// | 96 | 32 | an eviction, independent of the slot's request |
///
/// | offset in the record | bytes | field |
/// |---|---|---|
/// | 0 | 8 | start: the request's first byte position in the resource |
/// | 8 | 8 | received: bytes taken off the socket |
/// | 16 | 8 | acknowledged: bytes, counted from start, with a commit that has returned |
/// | 24 | 8 | ordinal: the request's number since the worker started, from 1 |
/// | 32 | 8 | state: 1 = active, 2 = ended |
///
/// | offset in the eviction | bytes | field |
/// |---|---|---|
/// | 0 | 8 | resource: 64-bit FNV-1a hash of the URL |
/// | 8 | 8 | start: the first byte position to be evicted |
/// | 16 | 8 | length: the number of bytes to be evicted |
/// | 24 | 8 | requests: the number that had begun by then |
///
/// A worker that makes room announces which bytes it will evict, before it commits their removal.
/// The n-th eviction lies in the n-th slot; a writer fills it, then stores n as the number of
/// evictions. Evictions beyond the number of slots are only counted. Bytes that a request
/// acknowledged and that are gone are lost unless an eviction of them was announced later. A worker
/// that announces none leaves zeros: it has evicted nothing.
///
/// A request is counted before it is in a slot. A writer fills the record that is not valid, then
/// stores sequence + 1 (release order). A new request takes the next slot in turn that is not
/// active. So a page whose count is at most the number of slots holds every request since the
/// worker started, in slot order; one with a greater count has overwritten some, and cannot account
/// for every byte.
public enum WitnessLayout {
    /// The size of the file in bytes.
    public static let pageSize = slotsOffset + slotCount * slotStride
    /// The eight bytes `RIGWITN1`, read as a little-endian number.
    public static let magic: UInt64 = 0x314E_5449_5747_4952
    /// The version of the layout.
    public static let version: UInt32 = 3
    /// The number of requests that the page can hold at once; 127 were too few for a player that
    /// seeks often.
    public static let slotCount = 1023

    static let versionOffset = 8
    static let slotCountOffset = 12
    static let phaseOffset = 16
    static let commitsOffset = 24
    static let requestsOffset = 32
    static let evictionsOffset = 40
    static let entriesOffset = 64
    static let holdOffset = 144
    static let waitingOffset = 152
    static let slotsOffset = 256
    static let slotStride = 128
    static let resourceOffset = 8
    static let recordOffset = 16
    static let recordSize = 40
    static let evictionOffset = 96

    /// The 64-bit FNV-1a hash by which a slot identifies its URL.
    ///
    /// - Parameter url: the URL as the worker requests it.
    /// - Returns: the hash of its UTF-8 bytes.
    public static func resource(of url: String) -> UInt64 {
        url.utf8.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01B3 }
    }
}

/// The phase of a worker's life; the raw value is the number in the page.
public enum WitnessPhase: UInt32, Sendable, CaseIterable {
    case starting = 0
    case recovering = 1
    case connecting = 2
    case receiving = 3
    case committing = 4
    case checkpointing = 5
    case evicting = 6
    case cancelling = 7
    case completing = 8
    case idle = 9
}

/// One request as recorded in the page.
public struct WitnessRecord: Sendable, Hashable {
    /// The 64-bit FNV-1a hash of the URL.
    public var resource: UInt64
    /// The request's first byte position in the resource.
    public var start: UInt64
    /// Bytes taken off the socket.
    public var received: UInt64
    /// Bytes, counted from start, with a commit that has returned.
    public var acknowledged: UInt64
    /// The request's number since the worker started, from 1.
    public var ordinal: UInt64
    /// True until the request ends.
    public var isActive: Bool

    /// A record with these figures.
    public init(
        resource: UInt64, start: UInt64, received: UInt64 = 0, acknowledged: UInt64 = 0,
        ordinal: UInt64, isActive: Bool = true
    ) {
        (self.resource, self.start, self.received) = (resource, start, received)
        (self.acknowledged, self.ordinal, self.isActive) = (acknowledged, ordinal, isActive)
    }
}

/// Bytes that a worker announced for eviction.
public struct WitnessEviction: Sendable, Hashable {
    /// The 64-bit FNV-1a hash of the URL.
    public var resource: UInt64
    /// The first byte position.
    public var start: UInt64
    /// The number of bytes.
    public var length: UInt64
    /// The number of requests that had begun by then.
    public var requests: UInt64
}

/// Why a witness page cannot be used; each text ends in what to do.
public enum WitnessError: Error, Hashable, CustomStringConvertible {
    /// The file cannot be opened, sized or mapped.
    case cannotMap(path: String, reason: String)

    /// What is wrong, and what to do.
    public var description: String {
        switch self {
        case .cannotMap(let path, let reason):
            "cannot map the witness page \(path): \(reason); name a writable file in RIG_WITNESS"
        }
    }
}
