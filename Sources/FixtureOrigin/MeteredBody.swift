internal import Fixture
internal import FlyingSocks

/// The body of one answer, handed out as its mount allows.
struct MeteredBody: AsyncBufferedSequence {
    typealias Element = UInt8

    /// How many bytes are handed to the socket at a time, at most.
    static let bufferSize = 256 * 1024

    let ticket: BodyTicket

    func makeAsyncIterator() -> MeteredIterator { MeteredIterator(ticket: ticket) }
}

/// Computes the bytes, a buffer at a time.
struct MeteredIterator: AsyncBufferedIteratorProtocol {
    private let ticket: BodyTicket
    private var position: Int64
    private var paid = 0
    private var buffer: [UInt8]

    init(ticket: BodyTicket) {
        self.ticket = ticket
        position = ticket.positions.lowerBound
        let count = ticket.positions.upperBound - ticket.positions.lowerBound
        buffer = [UInt8](repeating: 0, count: Int(min(count, Int64(MeteredBody.bufferSize))))
    }

    mutating func next() async throws -> UInt8? {
        try await nextBuffer(suggested: 1)?.first
    }

    /// The next bytes; nil at the body's end.
    ///
    /// - Throws: `BodyEnded` where the body was cut, so that the connection is closed: an early
    ///   nil would leave it open with bytes missing.
    mutating func nextBuffer(suggested count: Int) async throws -> ArraySlice<UInt8>? {
        // A client that reads as fast as we send must not keep the thread from all others.
        await Task.yield()
        let granted = try await grant(count)
        guard granted > 0 else { return nil }
        let start = position
        let source = ticket.source
        try buffer.withUnsafeMutableBytes { bytes in
            try source.read(
                into: UnsafeMutableRawBufferPointer(rebasing: bytes[..<granted]), at: start)
        }
        position += Int64(granted)
        return buffer[..<granted]
    }

    /// How many bytes may go now, once some may; 0 at the body's end.
    private mutating func grant(_ suggested: Int) async throws -> Int {
        while true {
            try Task.checkCancellation()
            let left = ticket.positions.upperBound - position
            guard left > 0 else {
                try ticket.complete()
                return 0
            }
            let most = min(left, Int64(min(max(suggested, 1), buffer.count)))
            switch ticket.mount.step(
                ticket.ordinal, window: position..<position + most, paid: paid)
            {
            case .send(let count):
                paid = max(0, paid - count)
                return count
            case .hold(let version):
                await ticket.mount.waitForChange(ticket.ordinal, since: version)
            case .pace(let bytes, let due):
                try await wait(until: due)
                paid = bytes
            case .cut:
                throw BodyEnded()
            }
        }
    }

    /// Sleeps until a moment, in naps so short that a cut is heeded promptly.
    private func wait(until due: ContinuousClock.Instant) async throws {
        while ContinuousClock.now < due, ticket.mount.isRunning(ticket.ordinal) {
            let nap = min(due, .now + .milliseconds(50))
            try await Task.sleep(until: nap, tolerance: .zero, clock: .continuous)
        }
    }
}

/// Ends a body that was cut.
struct BodyEnded: Error {}

/// The life of one body: whoever drops it before it is complete has cut the body.
final class BodyTicket: Sendable {
    let mount: Mount
    let source: any VideoSource
    let ordinal: Int
    let positions: Range<Int64>
    private let connections: ConnectionTable
    private let connection: ConnectionTable.Token

    init(
        mount: Mount, source: any VideoSource, ordinal: Int, positions: Range<Int64>,
        clientPort: UInt16, connections: ConnectionTable
    ) {
        self.mount = mount
        self.source = source
        self.ordinal = ordinal
        self.positions = positions
        self.connections = connections
        connection = connections.begin(clientPort: clientPort, for: mount)
    }

    deinit {
        connections.end(connection)
        mount.end(ordinal, .cut)
    }

    /// Notes that the last byte has gone.
    func complete() throws(BodyEnded) {
        guard mount.isRunning(ordinal) else { throw BodyEnded() }
        mount.end(ordinal, .complete)
    }
}
