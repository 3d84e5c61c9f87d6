internal import Glibc

/// A file that a program has mapped for writing: its bytes change without a system call.
///
/// What has changed is found by comparing the file with what it held before. The kernel shows a
/// reader what the program has stored in memory, synced or not.
package final class MappedFile {
    /// Bytes that have changed.
    package typealias Change = (offset: Int64, bytes: [UInt8])

    private static let sectorSize = 512
    private static let blockSize = 64 << 10
    // SEEK_DATA and SEEK_HOLE of lseek(2).
    private static let (seekData, seekHole): (Int32, Int32) = (3, 4)

    private let descriptor: Int32
    /// The blocks that are known to hold anything but zeros.
    private var known: [Int64: [UInt8]] = [:]

    /// Opens a file, whose present bytes are known from then on; nil when it cannot be read.
    ///
    /// - Parameter path: the file's path.
    package convenience init?(path: String) {
        self.init(path: path, knowing: [])
        _ = changes()
    }

    /// Opens a file of which it is known what it held; nil when it cannot be read.
    ///
    /// - Parameters:
    ///   - path: the file's path.
    ///   - pieces: what it held, without zeros.
    package init?(path: String, knowing pieces: [Change]) {
        descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        for piece in pieces { note(piece.bytes, at: piece.offset) }
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
    }

    /// The sectors that have changed since they were known; from now on they are.
    ///
    /// - Parameter range: where to look.
    /// - Returns: runs of changed sectors, in order.
    package func changes(in range: Range<Int64> = 0..<Int64.max) -> [Change] {
        var changes: [Change] = []
        let end = min(range.upperBound, Int64(lseek(descriptor, 0, SEEK_END)))
        var position = range.lowerBound
        while position < end, let data = data(from: position, to: end) {
            for (block, part) in Self.pieces(data) { compare(block, part, &changes) }
            position = data.upperBound
        }
        return changes
    }

    /// Notes bytes that the program writes by a call.
    func note(_ bytes: [UInt8], at offset: Int64) {
        for (block, part) in Self.pieces(offset..<offset + Int64(bytes.count)) {
            let first = Int(block) * Self.blockSize + part.lowerBound - Int(offset)
            change(block) { $0.replaceSubrange(part, with: bytes[first..<first + part.count]) }
        }
    }

    /// Notes that a range holds zeros, or is no part of the file any more.
    func noteZeros(in range: Range<Int64>) {
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

    private func change(_ block: Int64, _ body: (inout [UInt8]) -> Void) {
        body(&known[block, default: [UInt8](repeating: 0, count: Self.blockSize)])
    }

    /// The next range that is no hole.
    private func data(from position: Int64, to end: Int64) -> Range<Int64>? {
        var start = Int64(lseek(descriptor, off_t(position), Self.seekData))
        // A file system that knows no holes.
        if start < 0, errno != ENXIO { start = position }
        guard start >= 0, start < end else { return nil }
        let hole = Int64(lseek(descriptor, off_t(start), Self.seekHole))
        return start..<(hole > start ? min(hole, end) : end)
    }

    private func compare(_ block: Int64, _ part: Range<Int>, _ changes: inout [Change]) {
        let start = block * Int64(Self.blockSize)
        let new = FolderScan.bytes(
            of: descriptor, from: start + Int64(part.lowerBound), count: part.count)
        change(block) { old in
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
