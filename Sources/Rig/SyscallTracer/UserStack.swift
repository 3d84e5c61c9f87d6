internal import CPtrace
internal import Glibc
internal import RigModel

/// Where in its program a stopped thread is.
///
/// Of a program in Python these are its lines of source, after the places outside the interpreter.
///
/// The frame pointers are followed as far as they lead to return addresses. Where a library was
/// compiled without them, the first return address on the stack that lies outside it is its caller.
/// An address counts as one only if the instruction before it is a call.
struct UserStack {
    private let thread: pid_t
    /// Those with code.
    private let mappings: [MemoryPart]

    private static let mostFrames = 32
    /// How many words of a stack are searched for a caller.
    private static let mostWords = 512
    private static let mostStack: UInt64 = 8 << 20

    /// The places of a stopped thread, the innermost first; empty when it cannot be read.
    static func places(of thread: pid_t) -> [StackPlace] {
        var place = rig_place()
        guard rig_read_place(thread, &place) == 0 else { return [] }
        let mappings = MemoryPart.all(of: thread)
        let code = mappings.filter { $0.rights.dropFirst(2).first == "x" }
        let stack = UserStack(thread: thread, mappings: code)
        let places = stack.addresses(from: place).compactMap(stack.place)
        for module in mappings where module.isPython {
            guard let lines = try? lines(of: thread, in: module), !lines.isEmpty else { continue }
            return Array(places.prefix { $0.module != module.path }) + lines
        }
        return places
    }

    private static func lines(of thread: pid_t, in module: MemoryPart) throws -> [StackPlace] {
        let memory = TraceeMemory { Tracee.bytes(at: $0, count: $1, in: thread) }
        let loaded = try LoadedModule(at: module.addresses.lowerBound, in: memory)
        var symbols: [String: UInt64] = [:]
        for name in PythonStack.symbols { symbols[name] = try loaded.address(of: name) }
        return try PythonStack(symbols: symbols, in: memory).places(ofThread: UInt64(thread))
    }

    private func addresses(from place: rig_place) -> [UInt64] {
        let chain = chain(from: place)
        let caller = caller(of: place)
        guard let caller, !chain.contains(caller) else { return [place.instruction] + chain }
        return [place.instruction, caller] + chain
    }

    private func chain(from place: rig_place) -> [UInt64] {
        var (found, frame) = ([UInt64](), place.frame)
        if place.link != 0, isReturn(place.link) { found.append(place.link) }
        while found.count < Self.mostFrames, frame >= place.stack,
            frame < place.stack &+ Self.mostStack, frame.isMultiple(of: 8),
            let next = Tracee.number(at: frame, in: thread),
            let address = Tracee.number(at: frame + 8, in: thread), isReturn(address)
        {
            if found.last != address { found.append(address) }
            guard next > frame else { break }
            frame = next
        }
        return found
    }

    /// The first return address on the stack that is not of the code that makes the call.
    private func caller(of place: rig_place) -> UInt64? {
        let module = mapping(of: place.instruction)?.path
        return Tracee.words(at: place.stack, count: Self.mostWords, in: thread).first { address in
            mapping(of: address).map { $0.path != module } ?? false && isReturn(address)
        }
    }

    private func mapping(of address: UInt64) -> MemoryPart? {
        mappings.first { $0.addresses.contains(address) }
    }

    private func place(of address: UInt64) -> StackPlace? {
        mapping(of: address).map {
            .code(module: $0.path, offset: address - $0.addresses.lowerBound + $0.offset)
        }
    }

    /// True if the instruction before an address is a call.
    private func isReturn(_ address: UInt64) -> Bool {
        guard mapping(of: address) != nil, address > 8 else { return false }
        let code = Tracee.bytes(at: address - 8, count: 8, in: thread)
        guard code.count == 8 else { return false }
        #if arch(arm64)
            let word = code.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: 4, as: UInt32.self) }
            // bl, and blr.
            return word & 0xfc00_0000 == 0x9400_0000 || word & 0xffff_fc1f == 0xd63f_0000
        #else
            // call rel32, and the forms of call r/m64: FF with 2 in the middle of the next byte.
            return code[3] == 0xe8
                || [2, 3, 6, 7].contains { length in
                    code[8 - length] == 0xff && code[9 - length] & 0x38 == 0x10
                }
        #endif
    }
}
