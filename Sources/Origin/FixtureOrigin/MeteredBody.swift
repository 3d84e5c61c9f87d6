internal import Fixture
internal import LoopbackHTTP

/// The body of one answer, sent as its mount allows: the bytes, a buffer at a time.
struct MeteredBody {
    /// The most bytes handed to the socket at a time.
    static let bufferSize = 256 * 1024

    /// How long a client may take nothing before its answer is broken off all the same.
    private static let patience = Duration.seconds(1)

    private let ticket: BodyTicket
    private var pieces: ArraySlice<Delivery.Piece>
    /// How many bytes of the first piece have been sent.
    private var done: Int64 = 0
    /// How many bytes of the body have been sent.
    private var sent: Int64 = 0
    private var paid = 0
    private var buffer: [UInt8]

    private init(_ ticket: BodyTicket) {
        self.ticket = ticket
        pieces = ticket.plan.pieces[...]
        let count = pieces.map(\.count).max() ?? 0
        buffer = [UInt8](repeating: 0, count: Int(min(count, Int64(MeteredBody.bufferSize))))
    }

    /// Sends a body; if it throws, as `BodyEnded` when it was cut, the connection must be closed.
    static func send(_ ticket: BodyTicket) async throws {
        var body = MeteredBody(ticket)
        let connection = ticket.connection
        let isChunked = ticket.plan.delivery.isChunked
        while let bytes = try await body.next() {
            if isChunked {
                try await connection.writeChunk(bytes)
            } else {
                try await connection.write(bytes)
            }
        }
        if isChunked { try await connection.writeChunk([]) }
    }

    /// The next bytes, nil at the body's end; throws `BodyEnded` if it was cut: an early nil would
    /// leave the connection open with bytes missing.
    private mutating func next() async throws -> ArraySlice<UInt8>? {
        // Without this, a client that reads fast would keep the thread from all others.
        await Task.yield()
        try await breakOffWhenDue()
        while let piece = pieces.first, done >= piece.count {
            pieces.removeFirst()
            done = 0
        }
        guard let piece = pieces.first else {
            try ticket.complete()
            return nil
        }
        let room = ticket.plan.delivery.breakOff.map { $0.after - sent } ?? .max
        let most = min(piece.count - done, room, Int64(buffer.count))
        let bytes: ArraySlice<UInt8>
        switch piece {
        case .positions(let range): bytes = try await read(range.lowerBound + done, most: most)
        case .literal(let literal): bytes = literal[Int(done)..<Int(done + most)]
        }
        done += Int64(bytes.count)
        sent += Int64(bytes.count)
        return bytes
    }

    /// Reads positions of the served resource, once the mount allows it.
    private mutating func read(_ start: Int64, most: Int64) async throws -> ArraySlice<UInt8> {
        let granted = try await grant(start..<start + most)
        let source = ticket.source
        try buffer.withUnsafeMutableBytes { bytes in
            try source.read(
                into: UnsafeMutableRawBufferPointer(rebasing: bytes[..<granted]), at: start)
        }
        return buffer[..<granted]
    }

    /// Waits until some bytes of a window may be sent, and returns how many.
    private mutating func grant(_ window: Range<Int64>) async throws -> Int {
        while true {
            try Task.checkCancellation()
            switch ticket.mount.step(ticket.ordinal, window: window, paid: paid) {
            case .send(let count):
                paid = max(0, paid - count)
                return count
            case .hold(let version):
                await ticket.mount.waitForChange(ticket.ordinal, since: version)
                ticket.link?.pause()
            case .pace(let bytes, let due):
                try await wait(until: due)
                paid = bytes
            case .cut: throw BodyEnded()
            }
        }
    }

    /// Ends the body where its plan breaks it off.
    private func breakOffWhenDue() async throws {
        guard let breakOff = ticket.plan.delivery.breakOff, sent >= breakOff.after else { return }
        if await isTaken() { ticket.mount.breakOff(ticket.ordinal) }
        switch breakOff.ending {
        case .close: break
        case .reset: ticket.link?.resetAtEnd()
        case .silence: await ticket.mount.waitForCut(ticket.ordinal)
        }
        throw BodyEnded()
    }

    /// Waits until the client's kernel has all bytes sent, of which this machine's takes megabytes
    /// at once for a client that reads none; false if the client leaves before.
    private func isTaken() async -> Bool {
        // A link has waited, or its faults are of its own.
        guard ticket.link == nil else { return true }
        let connection = ticket.connection
        let left = await ToxicLink.untaken(of: connection.descriptor, patience: Self.patience) {
            ticket.mount.isRunning(ticket.ordinal) && !connection.isLeft
        }
        return left == 0 || !Task.isCancelled && !connection.isLeft
    }

    /// Sleeps until a time, in short naps so that a cut takes effect promptly.
    private func wait(until due: ContinuousClock.Instant) async throws {
        while ContinuousClock.now < due, ticket.mount.isRunning(ticket.ordinal) {
            let nap = min(due, .now + .milliseconds(50))
            try await Task.sleep(until: nap, tolerance: .zero, clock: .continuous)
        }
    }
}

struct BodyEnded: Error {}

/// The lifetime of one body: dropping the ticket before completion cuts the body.
final class BodyTicket: Sendable {
    let mount: Mount
    let ordinal: Int
    let source: any VideoSource
    let plan: ResponsePlan
    let connection: ClientConnection
    /// The way to the client; nil if no fault needs it.
    var link: ToxicLink? { connection.link as? ToxicLink }

    init(
        mount: Mount, ordinal: Int, source: any VideoSource, plan: ResponsePlan,
        connection: ClientConnection
    ) {
        (self.mount, self.ordinal, self.source, self.plan) = (mount, ordinal, source, plan)
        self.connection = connection
        mount.attach(connection, to: ordinal)
    }

    deinit { mount.end(ordinal, .cut) }

    func complete() throws(BodyEnded) {
        guard mount.isRunning(ordinal) else { throw BodyEnded() }
        mount.end(ordinal, .complete)
    }
}
