internal import Glibc

/// A file that a program has mapped for writing: its bytes change without a system call.
///
/// What has changed is found by comparing the file with what it held before. The kernel shows a
/// reader what the program has stored in memory, synced or not.
package struct MappedFile: Sendable {
    /// Bytes that have changed.
    package typealias Change = (offset: Int64, bytes: [UInt8])

    private static let sectorSize = 512
    private static let blockSize = 64 << 10
    // SEEK_DATA and SEEK_HOLE of lseek(2).
    private static let (seekData, seekHole): (Int32, Int32) = (3, 4)

    /// The known blocks; one that is not here holds zeros.
    private var known: [Int64: [UInt8]] = [:]

    /// A file of which it is known what it held.
    ///
    /// - Parameter pieces: what it held, without zeros.
    package init(knowing pieces: [Change] = []) {
        for piece in pieces { note(piece.bytes, at: piece.offset) }
    }

    /// The sectors that have changed since they were known; from now on they are.
    ///
    /// - Parameters:
    ///   - path: where the file is now.
    ///   - range: where to look.
    /// - Returns: runs of changed sectors, in order; nil when the file cannot be read.
    package mutating func changes(
        of path: String, in range: Range<Int64> = 0..<Int64.max
    ) -> [Change]? {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var changes: [Change] = []
        let end = min(range.upperBound, Int64(lseek(file, 0, SEEK_END)))
        var position = range.lowerBound
        while position < end, let data = Self.data(of: file, from: position, to: end) {
            for (block, part) in Self.pieces(data) { compare(file, block, part, &changes) }
            position = data.upperBound
        }
        return changes
    }

    /// Notes bytes that the program writes by a call.
    mutating func note(_ bytes: [UInt8], at offset: Int64) {
        for (block, part) in Self.pieces(offset..<offset + Int64(bytes.count)) {
            let first = Int(block) * Self.blockSize + part.lowerBound - Int(offset)
            change(block) { $0.replaceSubrange(part, with: bytes[first..<first + part.count]) }
        }
    }

    /// Notes that a range holds zeros, or is no part of the file any more.
    mutating func noteZeros(in range: Range<Int64>) {
        for block in known.keys {
            let start = block * Int64(Self.blockSize)
            let part = range.clamped(to: start..<start + Int64(Self.blockSize))
            guard !part.isEmpty else { continue }
            change(block) {
                $0.replaceSubrange(
                    Int(part.lowerBound - start)..<Int(part.upperBound - start),
                    with: repeatElement(0, count: part.count))
            }
        }
    }

    private mutating func change(_ block: Int64, _ body: (inout [UInt8]) -> Void) {
        body(&known[block, default: [UInt8](repeating: 0, count: Self.blockSize)])
    }

    /// The next range that is no hole.
    private static func data(
        of file: Int32, from position: Int64, to end: Int64
    ) -> Range<Int64>? {
        var start = Int64(lseek(file, off_t(position), seekData))
        // A file system that knows no holes.
        if start < 0, errno != ENXIO { start = position }
        guard start >= 0, start < end else { return nil }
        let hole = Int64(lseek(file, off_t(start), seekHole))
        return start..<(hole > start ? min(hole, end) : end)
    }

    private mutating func compare(
        _ file: Int32, _ block: Int64, _ part: Range<Int>, _ changes: inout [Change]
    ) {
        let start = block * Int64(Self.blockSize)
        let new = FolderScan.bytes(
            of: file, from: start + Int64(part.lowerBound), count: part.count)
        var old = known[block] ?? [UInt8](repeating: 0, count: Self.blockSize)
        guard old[part.prefix(new.count)] != new[...] else { return }
        var first = part.lowerBound
        while first < part.lowerBound + new.count {
            let next = min(
                (first / Self.sectorSize + 1) * Self.sectorSize, part.lowerBound + new.count)
            let sector = new[first - part.lowerBound..<next - part.lowerBound]
            if old[first..<next] != sector {
                old.replaceSubrange(first..<next, with: sector)
                Self.add(sector, at: start + Int64(first), to: &changes)
            }
            first = next
        }
        known[block] = old
    }

    private static func add(
        _ bytes: ArraySlice<UInt8>, at offset: Int64, to changes: inout [Change]
    ) {
        if let last = changes.last, last.offset + Int64(last.bytes.count) == offset {
            changes[changes.count - 1].bytes += bytes
        } else {
            changes.append((offset, Array(bytes)))
        }
    }

    /// The blocks that a range touches, each with the part of it that lies in the range.
    private static func pieces(_ range: Range<Int64>) -> [(block: Int64, part: Range<Int>)] {
        guard !range.isEmpty else { return [] }
        let size = Int64(blockSize)
        return (range.lowerBound / size...(range.upperBound - 1) / size).map { block in
            let part = range.clamped(to: block * size..<(block + 1) * size)
            return (
                block, Int(part.lowerBound - block * size)..<Int(part.upperBound - block * size)
            )
        }
    }
}
