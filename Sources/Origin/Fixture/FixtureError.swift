package enum FixtureError: Error, Hashable, CustomStringConvertible {
    /// The requested length leaves no room for the clip and a box header.
    case tooShort(length: Int64, minimum: Int64)
    case outsideVideo(offset: Int64, count: Int, length: Int64)

    package var description: String {
        switch self {
        case .tooShort(let length, let minimum):
            """
            A fixture video of \(length) bytes cannot be made: the shortest playable one has \
            \(minimum) bytes. Ask for \((minimum + 1023) / 1024)KB or more, or serve a smaller file with --video FILE.
            """
        case .outsideVideo(let offset, let count, let length):
            """
            \(count) bytes at offset \(offset) lie outside a video of \(length) bytes. \
            Read within 0 to \(length).
            """
        }
    }
}
