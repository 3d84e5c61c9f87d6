enum FileChange: Sendable, Equatable {
    /// Bytes at their place: data, which reaches the disk by sectors, at any time.
    case write([UInt8], at: Int64)
    case resize(Int64)
    /// A range that reads as zeros from now on, without any data being written.
    case clear(Range<Int64>)
    /// A range has blocks from now on, which read as zeros.
    case reserve(Range<Int64>)
    case writeOut
    /// In the inode, or beside it: they go through the journal.
    case attributes(FileAttributes)

    var written: Range<Int64>? {
        guard case .write(let bytes, let offset) = self else { return nil }
        return offset..<offset + Int64(bytes.count)
    }

    /// The range whose earlier bytes it takes away; empty for a write.
    var removed: Range<Int64> {
        switch self {
        case .write, .reserve, .writeOut, .attributes: 0..<0
        case .resize(let length): length..<Int64.max
        case .clear(let range): range
        }
    }

    /// What remains of it when some ranges were written after it.
    func outside(_ ranges: [Range<Int64>]) -> [Self] {
        guard case .write(let bytes, let offset) = self, let written else { return [self] }
        return written.outside(ranges).map { part in
            let first = Int(part.lowerBound - offset)
            return .write(Array(bytes[first..<first + part.count]), at: part.lowerBound)
        }
    }

    /// The parts of a write that lie in some ranges; nothing of another change.
    func inside(_ ranges: [Range<Int64>]) -> [Self] {
        written.map { outside($0.outside(ranges)) } ?? []
    }

    /// What is zeros behind a new, smaller length, up to the end of its block; empty for others.
    func clearedTail(sizeBefore: Int64) -> Range<Int64> {
        guard case .resize(let length) = self, length < sizeBefore else { return 0..<0 }
        return length..<Block.touched(by: 0..<length).upperBound * Block.size
    }

    /// The blocks that go back to the file system: what is written there afterwards lies in new
    /// ones, which the inode refers to only through the journal entry, and is lost with it.
    func givenBack(sizeBefore: Int64) -> Range<Int64> {
        switch self {
        case .write, .reserve, .writeOut, .attributes: 0..<0
        case .resize(let length):
            length < sizeBefore
                ? Block.touched(by: 0..<length).upperBound..<Int64.max / Block.size : 0..<0
        case .clear(let range): Block.inside(range)
        }
    }
}
