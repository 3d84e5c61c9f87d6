/// A program's memory, of which a read gives all of its bytes or throws.
struct TraceeMemory {
    /// What was read is not what it was taken for.
    struct Implausible: Error {}

    /// The bytes from an address on, as many of them as can be read.
    let read: (_ address: UInt64, _ count: Int) -> [UInt8]

    func bytes(at address: UInt64, count: Int) throws -> [UInt8] {
        let bytes = read(address, count)
        guard bytes.count == count else { throw Implausible() }
        return bytes
    }

    func number(at address: UInt64, size: Int = 8) throws -> UInt64 {
        let bytes = try bytes(at: address, count: size)
        return Self.value(of: bytes[...])
    }

    /// The number that bytes are, the lowest first.
    static func value(of bytes: ArraySlice<UInt8>) -> UInt64 {
        bytes.reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    }
}

/// A program or library in memory, and the addresses of the symbols that it has for others.
///
/// The file is not read: another one may have its name by now.
struct LoadedModule {
    private static let (mostTags, mostNames): (UInt64, UInt64) = (256, 256)

    private let memory: TraceeMemory
    /// What is added to the addresses that the file gives.
    private let bias: UInt64
    private let names: UInt64
    private let symbols: UInt64
    private let hashes: UInt64

    /// By where its first byte lies; throws unless that is a 64-bit ELF file with `DT_GNU_HASH`.
    init(at base: UInt64, in memory: TraceeMemory) throws {
        guard try memory.bytes(at: base, count: 6) == [0x7f, 0x45, 0x4c, 0x46, 2, 1] else {
            throw TraceeMemory.Implausible()
        }
        let segments = try base &+ memory.number(at: base &+ 32)
        let count = try memory.number(at: base &+ 56, size: 2)
        var loaded: UInt64?
        var linkage: UInt64?
        for segment in (0..<count).map({ segments &+ 56 * $0 }) {
            let address = try memory.number(at: segment &+ 16)
            switch try memory.number(at: segment, size: 4) {
            case 1: loaded = loaded ?? address
            case 2: linkage = address
            default: break
            }
        }
        guard let first = loaded, let table = linkage else { throw TraceeMemory.Implausible() }
        let bias = base &- first
        var tags: [UInt64: UInt64] = [:]
        for entry in (0..<Self.mostTags).map({ bias &+ table &+ 16 * $0 }) {
            let tag = try memory.number(at: entry)
            guard tag != 0 else { break }
            // Some loaders have added the bias already.
            let value = try memory.number(at: entry &+ 8)
            tags[tag] = value < base ? value &+ bias : value
        }
        guard let names = tags[5], let symbols = tags[6], let hashes = tags[0x6fff_fef5] else {
            throw TraceeMemory.Implausible()
        }
        (self.memory, self.bias) = (memory, bias)
        (self.names, self.symbols, self.hashes) = (names, symbols, hashes)
    }

    func address(of name: String) throws -> UInt64? {
        let hash = UInt64(name.utf8.reduce(UInt32(5381)) { $0 &* 33 &+ UInt32($1) })
        let buckets = try memory.number(at: hashes, size: 4)
        let first = try memory.number(at: hashes &+ 4, size: 4)
        let table = try hashes &+ 16 &+ 8 * memory.number(at: hashes &+ 8, size: 4)
        guard buckets > 0 else { return nil }
        let start = try memory.number(at: table &+ 4 * (hash % buckets), size: 4)
        guard start >= first else { return nil }
        for index in start..<start + Self.mostNames {
            let entry = try memory.number(at: table &+ 4 * (buckets + index - first), size: 4)
            if entry | 1 == hash | 1, let address = try symbol(index, named: name) {
                return address
            }
            guard entry & 1 == 0 else { return nil }
        }
        return nil
    }

    private func symbol(_ index: UInt64, named name: String) throws -> UInt64? {
        let symbol = symbols &+ 24 * index
        let text = try names &+ memory.number(at: symbol, size: 4)
        let bytes = Array(name.utf8) + [0]
        // One of no section is another module's.
        guard try memory.bytes(at: text, count: bytes.count) == bytes,
            try memory.number(at: symbol &+ 6, size: 2) != 0
        else { return nil }
        return try bias &+ memory.number(at: symbol &+ 8)
    }
}
