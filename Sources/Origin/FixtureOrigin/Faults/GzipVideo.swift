internal import Fixture
internal import Synchronization

/// A video as one gzip member (RFC 1952) whose blocks are stored (RFC 1951, 3.2.4), which makes the
/// length known in advance and every window computable on demand.
final class GzipVideo: VideoSource {
    /// The most bytes that a stored block holds.
    private static let blockSize: Int64 = 65_535
    private static let blockHead: Int64 = 5
    private static let header: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 255]

    private let original: any VideoSource
    private let checksum = Mutex<UInt32?>(nil)

    init(of original: any VideoSource) { self.original = original }
    var identity: String { "\(original.identity)-gzip" }
    var length: Int64 { Int64(Self.header.count) + blocks * Self.blockHead + original.length + 8 }
    private var blocks: Int64 { max(1, (original.length + Self.blockSize - 1) / Self.blockSize) }

    func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws {
        try checkWindow(at: offset, count: buffer.count)
        var done = 0
        while done < buffer.count {
            let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[done...])
            let bytes = try piece(at: offset + Int64(done), most: rest.count)
            rest.copyBytes(from: bytes)
            done += bytes.count
        }
    }

    /// The bytes from a position to the end of its piece at most.
    private func piece(at offset: Int64, most: Int) throws -> ArraySlice<UInt8> {
        let inBlocks = offset - Int64(Self.header.count)
        guard inBlocks >= 0 else { return Self.header[Int(offset)...].prefix(most) }
        let stride = Self.blockHead + Self.blockSize
        let block = min(inBlocks / stride, blocks - 1)
        let start = block * Self.blockSize
        let size = min(Self.blockSize, original.length - start)
        let position = inBlocks - block * stride - Self.blockHead
        if position < 0 {
            let isLast: UInt8 = block == blocks - 1 ? 1 : 0
            let head = [isLast] + Self.littleEndian(UInt32(size) | (~UInt32(size) & 0xFFFF) << 16)
            return head[Int(position + Self.blockHead)...].prefix(most)
        }
        guard position < size else {
            let length = UInt32(truncatingIfNeeded: original.length)
            let trailer = try Self.littleEndian(sum()) + Self.littleEndian(length)
            return trailer[Int(position - size)...].prefix(most)
        }
        let from = start + position
        return try original.bytes(in: from..<from + min(size - position, Int64(most)))[...]
    }

    /// The CRC-32 of the whole video, computed when the first client reaches the end.
    private func sum() throws -> UInt32 {
        if let known = checksum.withLock({ $0 }) { return known }
        var crc = CRC32()
        var offset: Int64 = 0
        while offset < original.length {
            let end = min(offset + 256 * 1024, original.length)
            crc.add(try original.bytes(in: offset..<end))
            offset = end
        }
        let value = crc.value
        checksum.withLock { $0 = value }
        return value
    }

    private static func littleEndian(_ value: UInt32) -> [UInt8] {
        (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }
}

/// The checksum of gzip (RFC 1952, 8).
struct CRC32 {
    private static let table: [UInt32] = (0..<256).map { index in
        (0..<8).reduce(UInt32(index)) { value, _ in
            value & 1 == 1 ? 0xEDB8_8320 ^ value >> 1 : value >> 1
        }
    }

    private var state: UInt32 = 0xFFFF_FFFF

    var value: UInt32 { ~state }

    mutating func add(_ bytes: [UInt8]) {
        var state = state
        Self.table.withUnsafeBufferPointer { table in
            for byte in bytes {
                state = table[Int(UInt8(truncatingIfNeeded: state) ^ byte)] ^ state >> 8
            }
        }
        self.state = state
    }
}
