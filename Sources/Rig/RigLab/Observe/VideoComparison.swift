internal import Fixture
internal import Glibc
internal import RigModel

/// Compares bytes with the video's, piece by piece, and records where they differ.
struct VideoComparison: ~Copyable {
    private let video: any VideoSource
    private let expected: UnsafeMutableRawBufferPointer
    private(set) var firstDifference: Difference?
    /// Where the compared bytes differ from the video, each with its number of differing bytes.
    private(set) var stretches: [(range: Range<Int64>, differingBytes: Int64)] = []

    static var pieceSize: Int { 256 * 1024 }

    var differing: ByteRanges { ByteRanges(stretches.map(\.range)) }

    init(video: any VideoSource) {
        self.video = video
        expected = .allocate(byteCount: Self.pieceSize, alignment: 16)
    }

    deinit { expected.deallocate() }

    /// Compares a file up to a length, or to its end; returns the bytes read, and those unlike.
    mutating func compare(
        _ file: inout FilePieces, upTo length: Int64 = .max
    ) throws -> (read: Int64, differing: Int64) {
        var (read, differing): (Int64, Int64) = (0, 0)
        while read < length {
            let piece = try file.next(Int(clamping: length - read))
            if piece.isEmpty { break }
            differing += try differingBytes(piece, at: read)
            read += Int64(piece.count)
        }
        return (read, differing)
    }

    /// How many of the bytes, which claim to start at `offset`, differ; those outside the video do.
    mutating func differingBytes(_ found: UnsafeRawBufferPointer, at offset: Int64) throws -> Int64
    {
        var differing: Int64 = 0
        var position = 0
        while position < found.count {
            let count = min(Self.pieceSize, found.count - position)
            let piece = UnsafeRawBufferPointer(rebasing: found[position..<position + count])
            differing += try differingBytes(piece: piece, at: offset + Int64(position))
            position += count
        }
        return differing
    }

    private mutating func differingBytes(
        piece: UnsafeRawBufferPointer, at offset: Int64
    ) throws -> Int64 {
        let inside = max(0, min(Int64(piece.count), video.length - offset))
        guard offset >= 0, inside > 0 else { return Int64(piece.count) }
        let want = UnsafeMutableRawBufferPointer(rebasing: expected[..<Int(inside)])
        try video.read(into: want, at: offset)
        let surplus = Int64(piece.count) - inside
        guard let found = piece.baseAddress, let known = want.baseAddress,
            memcmp(found, known, Int(inside)) != 0
        else { return surplus }
        var count: Int64 = 0
        var index = 0
        while index < Int(inside) {
            guard piece[index] != want[index] else {
                index += 1
                continue
            }
            let start = index
            while index < Int(inside), piece[index] != want[index] { index += 1 }
            if firstDifference == nil {
                let rest = start..<min(Int(inside), start + BlockDiagnosis.sampleSize)
                try remember(
                    Array(piece[rest]), insteadOf: Array(want[rest]), at: offset + Int64(start))
            }
            note(offset + Int64(start)..<offset + Int64(index))
            count += Int64(index - start)
        }
        return count + surplus
    }

    /// Records where bytes are wrong; a few right ones between them count as wrong.
    ///
    /// Zeros, or another video's bytes, equal the video's at one position in 256. Without this, the
    /// list would have an entry for every such position.
    private mutating func note(_ range: Range<Int64>) {
        let bytes = range.upperBound - range.lowerBound
        guard let last = stretches.last, last.range.upperBound <= range.lowerBound,
            range.lowerBound - last.range.upperBound < Tolerances.fewestRightBytes
        else {
            stretches.append((range, bytes))
            return
        }
        stretches[stretches.count - 1] = (
            last.range.lowerBound..<range.upperBound, last.differingBytes + bytes
        )
    }

    /// Keeps a sample from the first differing byte on: its blocks show where they belong.
    private mutating func remember(
        _ found: [UInt8], insteadOf expected: [UInt8], at offset: Int64
    ) throws {
        let diagnosis = try BlockDiagnosis.diagnose(found: found, at: offset, in: video)
        firstDifference = Difference(
            offset: offset, found: found, expected: expected, diagnosis: "\(diagnosis)")
    }
}
