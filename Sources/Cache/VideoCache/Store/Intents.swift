struct Extent: Equatable {
    var video: Int64
    /// The position in the video, which is the position in its file too.
    var range: ByteRange
}

extension ByteRange {
    static let everywhere = Self(offset: 0, length: Int64.max)
}

/// Extents that are a chunk's or orphaned; only the committed index can tell.
struct Intents: Equatable {
    var extents: [Extent] = []
    /// True if any byte of any video may be in doubt.
    var isEverything = false
    /// True if rows were deleted: then an extent may be orphaned though chunks still cover it, by a
    /// commit that is not seen yet.
    var deletesRows = false

    var isEmpty: Bool { extents.isEmpty && !isEverything }

    static func + (first: Self, second: Self) -> Self {
        Self(
            extents: first.extents + second.extents,
            isEverything: first.isEverything || second.isEverything,
            deletesRows: first.deletesRows || second.deletesRows)
    }
}

/// How far rows can be trusted before their bytes are checked.
enum Trust {
    /// Not at all: a power cut may have left rows without their bytes.
    case none
    /// Until the next power cut: no written bytes can have been lost in this mount epoch.
    case thisEpoch
    /// In any case: all bytes are on disk.
    case synced
}
