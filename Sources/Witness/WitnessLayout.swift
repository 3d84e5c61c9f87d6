/// The layout, version 3, of the witness page: a file that a worker maps and keeps up to date.
///
/// A shared mapping survives SIGKILL, so the worker's last writes can be read after its death. What
/// lies where, and the order of the stores, is in `harness/witness/README.md`, for programs in any
/// language.
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
