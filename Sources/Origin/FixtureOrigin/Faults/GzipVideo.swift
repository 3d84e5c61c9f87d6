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
            done += try copy(into: rest, at: offset + Int64(done))
        }
    }

    /// Copies from a position to the end of its piece at most, and returns how many bytes.
    private func copy(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws -> Int {
        let head = Int64(Self.header.count)
        guard offset >= head else { return Self.copy(Self.header, from: offset, into: buffer) }
        let stride = Self.blockHead + Self.blockSize
        let block = min((offset - head) / stride, blocks - 1)
        let within = offset - head - block * stride
        let start = block * Self.blockSize
        let size = min(Self.blockSize, original.length - start)
        if within < Self.blockHead {
            let isLast: UInt8 = block == blocks - 1 ? 1 : 0
            let sizes = Self.littleEndian(UInt32(size) | (~UInt32(size) & 0xFFFF) << 16)
            return Self.copy([isLast] + sizes, from: within, into: buffer)
        }
        let position = within - Self.blockHead
        guard position < size else {
            let trailer = try Self.littleEndian(sum()) + Self.littleEndian(lengthModulo)
            return Self.copy(trailer, from: position - size, into: buffer)
        }
        let count = Int(min(size - position, Int64(buffer.count)))
        try original.read(
            into: UnsafeMutableRawBufferPointer(rebasing: buffer[..<count]), at: start + position)
        return count
    }

    private var lengthModulo: UInt32 { UInt32(truncatingIfNeeded: original.length) }

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

    private static func copy(
        _ piece: [UInt8], from position: Int64, into buffer: UnsafeMutableRawBufferPointer
    ) -> Int {
        let part = piece[Int(position)...].prefix(buffer.count)
        buffer.copyBytes(from: part)
        return part.count
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
