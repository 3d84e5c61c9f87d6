internal import Glibc
internal import LoopbackHTTP
internal import OriginFaults
internal import Synchronization

/// The way to one client, in the origin's writes: what toxics hold back is not written yet.
final class ToxicLink: Link {
    private struct State: Sendable {
        var pacer: Pacer?
        /// True if what is sent next does not follow at once on what was sent.
        var isPaused = true
        /// How much later the end arrives.
        var closeDelay: Duration
        var isReset = false
    }

    /// The most bytes sent at a time; the same as in toxiproxy.
    private static let mostBytes = 32 * 1024

    /// How long a client may accept no bytes before its connection is reset anyway.
    private static let patience = Duration.seconds(5)

    let sent = SentBytes()
    private let plan: ToxicPlan
    private let pieceSize: Int
    private let state: Mutex<State>

    init(_ plan: ToxicPlan) {
        let pacer = plan.bytesPerSecond.map { Pacer(bytesPerSecond: $0, startingAt: .now) }
        self.plan = plan
        pieceSize = min(Self.mostBytes, plan.sliceSize ?? .max, pacer?.quantum ?? .max)
        state = Mutex(State(pacer: pacer, closeDelay: plan.closeDelay))
    }

    func pause() { state.withLock { $0.isPaused = true } }
    func resetAtEnd() { state.withLock { $0.isReset = true } }

    func send(_ bytes: ArraySlice<UInt8>, on connection: ClientConnection) async throws {
        let wasPaused = state.withLock { state in
            defer { state.isPaused = false }
            return state.isPaused
        }
        // What follows at once on late bytes is as late as they are.
        if wasPaused { try await wait(until: .now + plan.latency) }
        var rest = bytes
        while true {
            let room = plan.earlyEnd.map { $0.bytes - sent.count } ?? .max
            if let earlyEnd = plan.earlyEnd, room <= 0 { try await endEarly(earlyEnd) }
            guard !rest.isEmpty else { return }
            let piece = rest.prefix(Int(min(Int64(pieceSize), room)))
            rest = rest.dropFirst(piece.count)
            let due = state.withLock { $0.pacer?.reserve(piece.count, at: .now) }
            if let due { try await wait(until: due) }
            sent.add(piece.count)
            try await connection.sendAtOnce(piece)
            // Without this, many small pieces would keep the thread from all others.
            await Task.yield()
        }
    }

    func end(_ connection: ClientConnection) async {
        let (delay, isReset) = state.withLock { ($0.closeDelay, $0.isReset) }
        try? await wait(until: .now + delay)
        guard isReset else { return }
        // A reset drops what the client's kernel does not have; one that does not read is given up.
        _ = await Self.untaken(of: connection.descriptor, patience: Self.patience)
        var option = linger(l_onoff: 1, l_linger: 0)
        _ = setsockopt(
            connection.descriptor, SOL_SOCKET, SO_LINGER, &option,
            socklen_t(MemoryLayout<linger>.size))
    }

    /// Throws once the connection is to end, before the origin ends it.
    private func endEarly(_ early: ToxicPlan.EarlyEnd) async throws -> Never {
        try await wait(until: .now + early.delay)
        state.withLock { state in
            state.closeDelay = .zero
            state.isReset = early.isReset
        }
        throw BodyEnded()
    }

    /// Waits until the client's kernel has all bytes, or takes no more; returns how many are left.
    static func untaken(
        of descriptor: Int32, patience: Duration, while isWanted: () -> Bool = { true }
    ) async -> Int32 {
        var left = bytesToTake(descriptor)
        var end = ContinuousClock.now + patience
        while left > 0, ContinuousClock.now < end, isWanted(),
            (try? await Task.sleep(for: .milliseconds(1))) != nil
        {
            let now = bytesToTake(descriptor)
            if now < left { end = .now + patience }
            left = now
        }
        return left
    }

    /// How many of the sent bytes the client's kernel has not taken yet.
    private static func bytesToTake(_ descriptor: Int32) -> Int32 {
        var waiting: Int32 = 0
        let status = ioctl(descriptor, UInt(TIOCOUTQ), &waiting)
        return status == 0 ? waiting : 0
    }

    private func wait(until due: ContinuousClock.Instant) async throws {
        guard due > .now else { return }
        try await Task.sleep(until: due, tolerance: .zero, clock: .continuous)
    }
}

/// What happens to one connection: a pure function of the faults and the connection's number.
struct ToxicPlan: Sendable, Hashable {
    /// How a connection ends before the server ends it.
    struct EarlyEnd: Sendable, Hashable {
        var bytes: Int64
        /// How long to wait after the last delivered, or the first undelivered, byte.
        var delay: Duration
        var isReset: Bool
    }

    /// How much later bytes arrive; several latencies add up.
    var latency = Duration.zero
    /// The rate in bytes a second; nil for unlimited.
    var bytesPerSecond: Double?
    var closeDelay = Duration.zero
    /// The most bytes to send at once; nil for unlimited.
    var sliceSize: Int?
    /// The early end with the fewest bytes.
    var earlyEnd: EarlyEnd?

    /// The plan of a connection, numbered from 1.
    init(_ faults: [OriginFault], connection: Int) {
        for fault in faults where connection <= fault.times ?? .max {
            if case .connection(let change) = fault.action { change(&self) }
        }
    }

    mutating func end(after bytes: Int64, delay: Duration, isReset: Bool) {
        if let earlyEnd, earlyEnd.bytes <= bytes { return }
        earlyEnd = EarlyEnd(bytes: bytes, delay: delay, isReset: isReset)
    }
}

extension [OriginFault] {
    /// Makes the links of a server's connections, which it counts; nil if no fault needs any.
    func makeLinks() -> LoopbackServer.MakeLink? {
        let needLinks = contains { fault in
            if case .connection = fault.action { true } else { fault.kind == .reset }
        }
        guard needLinks else { return nil }
        let accepted = Atomic(0)
        return { [self] in
            let number = accepted.add(1, ordering: .relaxed).newValue
            return ToxicLink(ToxicPlan(self, connection: number))
        }
    }
}
