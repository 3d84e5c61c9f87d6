internal import Fixture
internal import RigModel

/// Cuts a file into stretches of bytes that are the video's and of bytes that are not.
///
/// Right bytes between wrong ones count as right only where there are many of them: zeros or another
/// video's bytes equal the video's here and there by chance, and a list of such places would have a
/// line for every other byte. So a stretch begins and ends with a wrong byte, and how many of its
/// bytes are wrong is counted one by one.
struct ComparedStretches: ~Copyable {
    /// So many right bytes in a row are no coincidence.
    static var fewestRightBytes: Int64 { 4096 }

    /// How many bytes have been compared.
    private(set) var position: Int64 = 0
    private let video: any VideoSource
    private let expected: UnsafeMutableRawBufferPointer
    private var comparison: VideoComparison
    private var wrong: [(range: Range<Int64>, count: Int64)] = []

    init(video: any VideoSource) {
        self.video = video
        comparison = VideoComparison(video: video)
        expected = .allocate(byteCount: VideoComparison.pieceSize, alignment: 16)
    }

    deinit { expected.deallocate() }

    /// The first place where a byte is wrong.
    var firstDifference: Difference? { comparison.firstDifference }

    /// Compares the next bytes, at most ``VideoComparison/pieceSize``.
    mutating func add(_ piece: UnsafeRawBufferPointer) throws {
        let start = position
        position += Int64(piece.count)
        guard try comparison.differingBytes(piece, at: start) > 0 else { return }
        let inside = Int(max(0, min(Int64(piece.count), video.length - start)))
        if inside > 0 {
            let want = UnsafeMutableRawBufferPointer(rebasing: expected[..<inside])
            try video.read(into: want, at: start)
            for index in 0..<inside where piece[index] != want[index] {
                noteWrong(start + Int64(index)..<start + Int64(index) + 1)
            }
        }
        // What lies past the video's end is unlike anything.
        if inside < piece.count { noteWrong(start + Int64(inside)..<position) }
    }

    /// The stretches as chunks.
    ///
    /// - Parameter missing: how many bytes more are claimed and not there; they count as wrong.
    /// - Returns: in order and without gaps.
    mutating func chunks(missing: Int64) -> [StoredChunk] {
        if missing > 0 { noteWrong(position..<position + missing) }
        let end = position + missing
        var chunks: [StoredChunk] = []
        var next: Int64 = 0
        for (range, count) in wrong {
            if next < range.lowerBound { chunks.append(Self.right(next..<range.lowerBound)) }
            chunks.append(
                StoredChunk(range: range, checksumMatches: nil, differingBytes: count))
            next = range.upperBound
        }
        if next < end { chunks.append(Self.right(next..<end)) }
        return chunks
    }

    private static func right(_ range: Range<Int64>) -> StoredChunk {
        StoredChunk(range: range, checksumMatches: nil, differingBytes: 0)
    }

    private mutating func noteWrong(_ range: Range<Int64>) {
        let count = range.upperBound - range.lowerBound
        guard let last = wrong.last,
            range.lowerBound - last.range.upperBound < Self.fewestRightBytes
        else {
            wrong.append((range, count))
            return
        }
        wrong[wrong.count - 1] = (last.range.lowerBound..<range.upperBound, last.count + count)
    }
}
