package enum BlockDiagnosis: Sendable, Hashable, CustomStringConvertible {
    case equal
    /// Zeros where the video has other bytes: never written, or written and not kept.
    case hole
    /// Bytes of another fixture video, or of another version: left over from an earlier state.
    case stale(BlockOwner)
    /// The video's own bytes, so much later than their position; -1 is one byte too early.
    case shifted(by: Int64)
    /// None of these: flipped bits, or bytes of unknown origin.
    case foreign

    package var description: String {
        switch self {
        case .equal: "equal"
        case .hole: "a hole (zeros)"
        case .stale(let owner):
            "stale bytes of version \(owner.version) of the fixture with seed \(owner.seed)"
        case .shifted(let by): "bytes shifted by \(by)"
        case .foreign: "foreign bytes"
        }
    }

    /// The recommended size of a sample, in bytes: it holds a whole block at any alignment.
    package static let sampleSize = 2 * FixtureBlock.size

    /// Classifies bytes found at an offset (B5); `.foreign` beyond the video's end.
    ///
    /// Take the sample from the first differing byte: `sampleSize` bytes or what is left. Stale
    /// bytes are recognised if the sample contains a whole block, at any alignment; index and media
    /// in a fixture's head are the same for every seed. A hole or a shift is recognised in any
    /// video, a shift of more than `nearby` bytes only in a fixture.
    package static func diagnose(
        found: [UInt8], at offset: Int64, in video: any VideoSource
    ) throws -> BlockDiagnosis {
        let end = offset + Int64(found.count)
        guard offset >= 0, end <= video.length else { return .foreign }
        let expected = try video.bytes(in: offset..<end)
        if found == expected { return .equal }
        if isHole(found, expected: expected) { return .hole }
        if let owner = video.owner {
            if let known = blockDiagnosis(of: found, at: offset, of: owner) { return known }
            let clip = 0..<min(FixtureVideo.clipLength, video.length)
            if let place = try place(of: found, in: clip, of: video, nearest: offset) {
                return .shifted(by: offset - place)
            }
        }
        let around = max(0, offset - nearby)..<min(video.length, end + nearby)
        if let place = try place(of: found, in: around, of: video, nearest: offset) {
            return .shifted(by: offset - place)
        }
        return .foreign
    }

    /// The search radius around a sample's offset in a video without blocks, in bytes.
    static let nearby: Int64 = 4096

    /// The fewest bytes that suffice to tell where they come from.
    private static let tellingCount = 16

    /// True when all differing bytes are zeros, and more than a single overwritten byte.
    private static func isHole(_ found: [UInt8], expected: [UInt8]) -> Bool {
        let differing = found.indices.filter { found[$0] != expected[$0] }
        guard let first = differing.first, let last = differing.last else { return false }
        let isLong = last - first >= 7 || differing.count == found.count
        return isLong && found[first...last].allSatisfy { $0 == 0 }
    }

    /// The diagnosis from the first whole block in the sample that is not where it belongs.
    private static func blockDiagnosis(
        of found: [UInt8], at offset: Int64, of owner: BlockOwner
    ) -> BlockDiagnosis? {
        found.withUnsafeBytes { bytes in
            guard let base = bytes.baseAddress, bytes.count >= FixtureBlock.size else { return nil }
            for start in 0...(bytes.count - FixtureBlock.size) {
                guard let (block, version) = block(at: base + start) else { continue }
                let found = BlockOwner(seed: block.seed, version: version)
                if found != owner { return .stale(found) }
                let place = offset + Int64(start)
                if block.offset != place { return .shifted(by: place - block.offset) }
            }
            return nil
        }
    }

    /// The block, of either version, that starts at an address.
    private static func block(at address: UnsafeRawPointer) -> (FixtureBlock, version: Int)? {
        if let block = FixtureBlock(at: address) { return (block, 1) }
        return FixtureBlock(at: address, isComplement: true).map { ($0, 2) }
    }

    /// The position of a sample in a window of the video, of several the nearest to `offset`; nil for
    /// a sample that is short, or one byte repeated.
    private static func place(
        of found: [UInt8], in window: Range<Int64>, of video: any VideoSource, nearest offset: Int64
    ) throws -> Int64? {
        guard found.count >= tellingCount, found.contains(where: { $0 != found[0] }) else {
            return nil
        }
        let text = try video.bytes(in: window)
        let places = (0...max(0, text.count - found.count))
            .filter { text[$0...].first == found[0] && text[$0...].starts(with: found) }
            .map { window.lowerBound + Int64($0) }
        return places.min { abs($0 - offset) < abs($1 - offset) }
    }
}
