internal import Glibc
internal import StorageModel

/// A file that a program has mapped for writing: its bytes change without a system call.
///
/// What has changed is found by comparing the file with what it held before. The kernel shows a
/// reader what the program has stored in memory, synced or not.
package struct MappedFile: Sendable {
    package typealias Change = (offset: Int64, bytes: [UInt8])

    // SEEK_DATA and SEEK_HOLE of lseek(2).
    private static let (seekData, seekHole): (Int32, Int32) = (3, 4)

    private var known = SparseBytes()

    /// A file of which it is known what it held, in pieces without zeros.
    package init(knowing pieces: [Change] = []) {
        for piece in pieces { note(piece.bytes, at: piece.offset) }
    }

    /// Learns which sectors have changed, in runs and in order; nil when the file cannot be read.
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
            compare(file, data, &changes)
            position = data.upperBound
        }
        return changes
    }

    mutating func note(_ bytes: [UInt8], at offset: Int64) { known.write(bytes, at: offset) }

    /// Notes that a range holds zeros, or is no part of the file any more.
    mutating func noteZeros(in range: Range<Int64>) { known.clear(range) }

    private static func data(of file: Int32, from position: Int64, to end: Int64) -> Range<Int64>? {
        var start = Int64(lseek(file, off_t(position), seekData))
        // A file system that knows no holes.
        if start < 0, errno != ENXIO { start = position }
        guard start >= 0, start < end else { return nil }
        let hole = Int64(lseek(file, off_t(start), seekHole))
        return start..<(hole > start ? min(hole, end) : end)
    }

    private mutating func compare(_ file: Int32, _ range: Range<Int64>, _ changes: inout [Change]) {
        for (offset, old) in known.parts(of: range) {
            let new = FolderScan.bytes(of: file, from: offset, count: old.count)
            guard old.prefix(new.count) != new[...] else { continue }
            var rest = new[...]
            while !rest.isEmpty {
                let start = offset + Int64(rest.startIndex)
                let sector = rest.prefix(
                    Int(SparseBytes.sectorSize - start % SparseBytes.sectorSize))
                if old.dropFirst(rest.startIndex).prefix(sector.count) != sector {
                    Self.add(sector, at: start, to: &changes)
                }
                rest = rest.dropFirst(sector.count)
            }
            known.write(new, at: offset)
        }
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
}
