import Atomics

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// The mapped file, with atomic access to its fields.
///
/// Safe to share between threads: the pointer never changes and every access through it is atomic.
final class WitnessMapping: Sendable {
    // The memory is mapped for the object's whole life and accessed by atomic operations only.
    private nonisolated(unsafe) let base: UnsafeMutableRawPointer

    /// Maps the file at `path`; creates it, or extends it with zeros if it is too short.
    init(path: String) throws(WitnessError) {
        let file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw .cannotMap(path: path, reason: Self.reason()) }
        defer { close(file) }
        guard ftruncate(file, off_t(WitnessLayout.pageSize)) == 0 else {
            throw .cannotMap(path: path, reason: Self.reason())
        }
        #if os(Linux)
            // On a full disk, the first access to a page without a block would end the process
            // (SIGBUS).
            let code = posix_fallocate(file, 0, off_t(WitnessLayout.pageSize))
            guard ![ENOSPC, EDQUOT].contains(code) else {
                throw .cannotMap(path: path, reason: String(cString: strerror(code)))
            }
        #endif
        let mapped = mmap(nil, WitnessLayout.pageSize, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0)
        guard let mapped, mapped != MAP_FAILED else {
            throw .cannotMap(path: path, reason: Self.reason())
        }
        base = mapped
    }

    deinit { munmap(base, WitnessLayout.pageSize) }
    private static func reason() -> String { String(cString: strerror(errno)) }

    /// Sleeps for a tenth of a millisecond.
    static func nap() {
        var pause = timespec(tv_sec: 0, tv_nsec: 100_000)
        nanosleep(&pause, nil)
    }

    func load64(_ offset: Int) -> UInt64 {
        UInt64(littleEndian: cell64(offset).load(ordering: .acquiring))
    }

    func store64(_ value: UInt64, at offset: Int) {
        cell64(offset).store(value.littleEndian, ordering: .releasing)
    }

    func load32(_ offset: Int) -> UInt32 {
        UInt32(littleEndian: cell32(offset).load(ordering: .acquiring))
    }

    func store32(_ value: UInt32, at offset: Int) {
        cell32(offset).store(value.littleEndian, ordering: .releasing)
    }

    private func cell64(_ offset: Int) -> UnsafeAtomic<UInt64> {
        UnsafeAtomic(at: (base + offset).assumingMemoryBound(to: UnsafeAtomic<UInt64>.Storage.self))
    }

    private func cell32(_ offset: Int) -> UnsafeAtomic<UInt32> {
        UnsafeAtomic(at: (base + offset).assumingMemoryBound(to: UnsafeAtomic<UInt32>.Storage.self))
    }
}

extension WitnessMapping {
    /// A consistent record of a slot; nil if the slot was never used.
    ///
    /// Retries while a living writer overtakes the reader; a dead one never does.
    func record(slot: Int) -> WitnessRecord? {
        let slotOffset = WitnessLayout.slotsOffset + slot * WitnessLayout.slotStride
        while true {
            let sequence = load64(slotOffset)
            guard sequence > 0 else { return nil }
            let offset = recordOffset(slotOffset: slotOffset, sequence: sequence)
            let record = WitnessRecord(
                resource: load64(slotOffset + WitnessLayout.resourceOffset), start: load64(offset),
                received: load64(offset + 8), acknowledged: load64(offset + 16),
                ordinal: load64(offset + 24), isActive: load64(offset + 32) == 1)
            if load64(slotOffset) == sequence { return record }
        }
    }

    /// Fills the record that is not valid, then makes it the valid one.
    func publish(_ record: WitnessRecord, slot: Int) {
        let slotOffset = WitnessLayout.slotsOffset + slot * WitnessLayout.slotStride
        let sequence = load64(slotOffset) + 1
        let offset = recordOffset(slotOffset: slotOffset, sequence: sequence)
        store64(record.start, at: offset)
        store64(record.received, at: offset + 8)
        store64(record.acknowledged, at: offset + 16)
        store64(record.ordinal, at: offset + 24)
        store64(record.isActive ? 1 : 2, at: offset + 32)
        store64(sequence, at: slotOffset)
    }

    /// Stores the URL's hash for the request that is about to take the slot, and erases the
    /// previous request.
    func claim(slot: Int, resource: UInt64) {
        let slotOffset = WitnessLayout.slotsOffset + slot * WitnessLayout.slotStride
        store64(0, at: slotOffset)
        store64(resource, at: slotOffset + WitnessLayout.resourceOffset)
    }

    /// The n-th eviction, from 0, which has been counted.
    func eviction(_ number: Int) -> WitnessEviction {
        let offset = Self.evictionOffset(number)
        return WitnessEviction(
            resource: load64(offset), start: load64(offset + 8), length: load64(offset + 16),
            requests: load64(offset + 24))
    }

    /// Stores the n-th eviction, from 0.
    func place(_ eviction: WitnessEviction, at number: Int) {
        let offset = Self.evictionOffset(number)
        store64(eviction.resource, at: offset)
        store64(eviction.start, at: offset + 8)
        store64(eviction.length, at: offset + 16)
        store64(eviction.requests, at: offset + 24)
    }

    private static func evictionOffset(_ number: Int) -> Int {
        WitnessLayout.slotsOffset + number * WitnessLayout.slotStride + WitnessLayout.evictionOffset
    }

    private func recordOffset(slotOffset: Int, sequence: UInt64) -> Int {
        slotOffset + WitnessLayout.recordOffset
            + (sequence.isMultiple(of: 2) ? 0 : WitnessLayout.recordSize)
    }
}

/// The phase, the number of entries of each, and the hold.
///
/// The writer calls these under its lock, one thread at a time.
extension WitnessMapping {
    /// Resets an earlier worker's figures, and begins in a phase with one entry.
    func begin(in phase: WitnessPhase) {
        for known in WitnessPhase.allCases {
            store64(0, at: Self.entriesOffset(of: known.rawValue))
        }
        store64(0, at: WitnessLayout.waitingOffset)
        store32(phase.rawValue, at: WitnessLayout.phaseOffset)
        store64(1, at: Self.entriesOffset(of: phase.rawValue))
    }

    /// Moves to a phase; false while the rig holds the worker in its current one.
    func move(to phase: WitnessPhase) -> Bool {
        guard load32(WitnessLayout.phaseOffset) != phase.rawValue else { return true }
        guard !isHeld else { return false }
        store32(phase.rawValue, at: WitnessLayout.phaseOffset)
        // Counted after the phase is stored, so that a reader that sees the count can rely on the
        // phase.
        store64(entries(of: phase.rawValue) + 1, at: Self.entriesOffset(of: phase.rawValue))
        return true
    }

    /// True while the rig holds the worker in its current phase.
    var isHeld: Bool {
        let hold = load64(WitnessLayout.holdOffset)
        let phase = load32(WitnessLayout.phaseOffset)
        return hold != 0 && hold & 0xFF == UInt64(phase) && entries(of: phase) >= hold >> 8
    }

    /// How often a phase was entered from another one.
    func entries(of phase: UInt32) -> UInt64 { load64(Self.entriesOffset(of: phase)) }

    /// Changes the number of waiting threads: by 1 when one begins to wait, by -1 when it goes on.
    func noteWaiting(_ change: Int64) {
        let count = Int64(bitPattern: load64(WitnessLayout.waitingOffset)) + change
        store64(UInt64(bitPattern: count), at: WitnessLayout.waitingOffset)
    }

    private static func entriesOffset(of phase: UInt32) -> Int {
        WitnessLayout.entriesOffset + 8 * Int(phase)
    }
}
