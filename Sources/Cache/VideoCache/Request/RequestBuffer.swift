/// The unsaved bytes of a request, in one block of memory, which a capacity limits (B10).
final class RequestBuffer {
    private var memory: UnsafeMutableRawBufferPointer
    private let grows: Bool
    private(set) var count = 0

    /// Creates an empty buffer of fixed capacity in bytes; with nil it grows.
    init(capacity: Int?) {
        grows = capacity == nil
        memory = .allocate(byteCount: capacity ?? 1 << 20, alignment: 64)
    }

    deinit { memory.deallocate() }
    var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: memory[..<count]) }

    /// Appends as many of the bytes as fit, and returns their number.
    func append(_ new: UnsafeRawBufferPointer) -> Int {
        if grows, count + new.count > memory.count { grow(toHold: count + new.count) }
        let taken = min(new.count, memory.count - count)
        UnsafeMutableRawBufferPointer(rebasing: memory[count..<count + taken])
            .copyMemory(from: UnsafeRawBufferPointer(rebasing: new[..<taken]))
        count += taken
        return taken
    }

    func removeAll() { count = 0 }

    private func grow(toHold needed: Int) {
        let larger = UnsafeMutableRawBufferPointer.allocate(
            byteCount: max(needed, memory.count * 2), alignment: 64)
        larger.copyMemory(from: bytes)
        memory.deallocate()
        memory = larger
    }
}
