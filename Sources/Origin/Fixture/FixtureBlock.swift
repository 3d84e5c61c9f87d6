/// One of the 64-byte blocks of a fixture video's payload, at multiples of 64 in the file.
///
/// Each contains its own offset (8 bytes, little-endian), the video's seed (8 bytes,
/// little-endian), and 48 bytes that only this seed at this offset yields. The blocks of a video's
/// next version are the complements of these.
struct FixtureBlock: Hashable {
    static let size = 64

    var seed: UInt64
    /// The block's correct offset in the file; a multiple of `size`.
    var offset: Int64
}

extension FixtureBlock {
    /// The start of the block that contains a position.
    static func start(of position: Int64) -> Int64 { position & ~Int64(size - 1) }

    /// The block or complement that starts at `address`; nil unless it is whole and sound.
    init?(at address: UnsafeRawPointer, isComplement: Bool = false) {
        let flip: UInt64 = isComplement ? .max : 0
        func word(_ index: Int) -> UInt64 {
            let found = address.loadUnaligned(fromByteOffset: index * 8, as: UInt64.self)
            return UInt64(littleEndian: found) ^ flip
        }
        offset = Int64(bitPattern: word(0))
        seed = word(1)
        guard offset >= 0, offset == Self.start(of: offset) else { return nil }
        var mix = BlockMix(seed: seed, offset: offset)
        for index in 2..<8 { guard word(index) == mix.next() else { return nil } }
    }

    @inline(__always)
    func write(to address: UnsafeMutableRawPointer) {
        address.storeBytes(of: offset.littleEndian, as: Int64.self)
        address.storeBytes(of: seed.littleEndian, toByteOffset: 8, as: UInt64.self)
        var mix = BlockMix(seed: seed, offset: offset)
        for word in 2..<8 {
            address.storeBytes(of: mix.next().littleEndian, toByteOffset: word * 8, as: UInt64.self)
        }
    }

    /// Fills a buffer with a video's payload, starting at any position.
    static func fill(_ buffer: UnsafeMutableRawBufferPointer, at position: Int64, seed: UInt64) {
        guard let base = buffer.baseAddress else { return }
        var done = 0
        while done < buffer.count {
            let at = position + Int64(done)
            let block = FixtureBlock(seed: seed, offset: start(of: at))
            if at == block.offset, buffer.count - done >= size {
                block.write(to: base + done)
                done += size
            } else {
                let skipped = Int(at - block.offset)
                let count = min(size - skipped, buffer.count - done)
                withUnsafeTemporaryAllocation(byteCount: size, alignment: 8) { whole in
                    guard let start = whole.baseAddress else { return }
                    block.write(to: start)
                    (base + done).copyMemory(from: start + skipped, byteCount: count)
                }
                done += count
            }
        }
    }
}

/// SplitMix64 with random access, as in the plan, which this target does not import.
struct BlockMix {
    private var state: UInt64
    private static let step: UInt64 = 0x9E37_79B9_7F4A_7C15

    /// The numbers for a block; blocks of one seed have none in common.
    @inline(__always)
    init(seed: UInt64, offset: Int64) {
        // Without scrambling the seed, neighbouring seeds would give shifted copies.
        state =
            Self.scramble(seed &+ Self.step)
            &+ (UInt64(truncatingIfNeeded: offset) / 8) &* Self.step
    }

    @inline(__always)
    mutating func next() -> UInt64 {
        state &+= Self.step
        return Self.scramble(state)
    }

    @inline(__always)
    private static func scramble(_ value: UInt64) -> UInt64 {
        var mixed = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
