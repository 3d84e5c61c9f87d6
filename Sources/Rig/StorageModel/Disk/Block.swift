/// A block, which all of these file systems give to files, and the physical sector of most disks.
enum Block {
    static let size: Int64 = 4096

    static func touched(by range: Range<Int64>) -> Range<Int64> { range.units(of: size) }

    static func inside(_ range: Range<Int64>) -> Range<Int64> {
        let first = range.lowerBound / size + (range.lowerBound % size > 0 ? 1 : 0)
        return first..<max(first, range.upperBound / size)
    }

    /// A range extended to whole blocks; empty for an empty range.
    static func whole(_ range: Range<Int64>) -> Range<Int64> { bytes(touched(by: range)) }

    static func bytes(_ block: Int64) -> Range<Int64> { bytes(block..<block + 1) }

    static func bytes(_ blocks: Range<Int64>) -> Range<Int64> { blocks.bytes(of: size) }
}

extension Range<Int64> {
    func units(of size: Int64) -> Self {
        isEmpty ? 0..<0 : lowerBound / size..<(upperBound + size - 1) / size
    }

    func bytes(of size: Int64) -> Self { lowerBound * size..<upperBound * size }

    /// The range extended to whole sectors; empty for an empty range.
    var sectors: Self { units(of: SparseBytes.sectorSize).bytes(of: SparseBytes.sectorSize) }

    func outside(_ others: [Self]) -> [Self] {
        others.reduce([self]) { parts, other in
            parts.flatMap { part -> [Self] in
                guard part.overlaps(other) else { return [part] }
                let before = part.lowerBound..<Swift.max(part.lowerBound, other.lowerBound)
                let after = Swift.min(part.upperBound, other.upperBound)..<part.upperBound
                return [before, after].filter { !$0.isEmpty }
            }
        }
    }
}
