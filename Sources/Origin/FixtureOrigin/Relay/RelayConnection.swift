internal import Foundation
internal import Synchronization

/// One client's connection through a relay: two sockets, and one thread per blocking task.
final class RelayConnection: Sendable {
    /// The most bytes read from a socket at a time; the same as in toxiproxy.
    private static let readSize = 32 * 1024
    /// How many reads may be queued: many when a latency delays them, else few, so that a client
    /// that does not read blocks the server as it would without a relay.
    private static let depth = (delayed: 1024, direct: 2)

    /// How long a client may accept no bytes before its connection is reset anyway.
    private static let patience = Duration.seconds(5)

    private let client: RelaySocket
    private let server: RelaySocket
    private let plan: ToxicPlan
    private let queue: RelayQueue
    private let isEnded = Atomic(false)
    private let resetsAtEnd = Atomic(false)

    /// The port that the server sees as its client's.
    let serverSidePort: UInt16
    /// The port of the client's own socket.
    let clientPort: UInt16
    /// Counts the bytes passed on to the client.
    let passedOn = RelayedBytes()

    init(client: RelaySocket, server: RelaySocket, plan: ToxicPlan) {
        self.client = client
        self.server = server
        self.plan = plan
        serverSidePort = server.localPort
        clientPort = client.peerPort
        queue = RelayQueue(
            capacity: plan.latency > .zero ? Self.depth.delayed : Self.depth.direct)
    }

    /// Relays until either side ends; calls `onEnd` when nothing more will reach the client.
    func start(onEnd: @escaping @Sendable () -> Void) {
        Thread.detachNewThread { [self] in passRequestsOn() }
        Thread.detachNewThread { [self] in takeAnswers() }
        Thread.detachNewThread { [self] in
            deliver()
            onEnd()
        }
    }

    /// Makes the end of the server's side reset the client's connection instead of closing it.
    func resetAtEnd() {
        resetsAtEnd.store(true, ordering: .releasing)
    }

    /// Ends both connections, and drops undelivered bytes.
    func end() {
        isEnded.store(true, ordering: .releasing)
        queue.cancel()
        client.end()
        server.end()
    }

    private func passRequestsOn() {
        var buffer = [UInt8](repeating: 0, count: Self.readSize)
        while let count = client.receive(into: &buffer) {
            guard count > 0 else {
                // The client may only have shut down its sending side, so the answers continue.
                server.endSending()
                return
            }
            guard server.send(buffer[..<count]) else { return }
        }
        end()
    }

    private func takeAnswers() {
        var buffer = [UInt8](repeating: 0, count: Self.readSize)
        while let count = server.receive(into: &buffer), count > 0 {
            guard queue.put(.bytes(Array(buffer[..<count]), arrived: .now)) else { return }
        }
        _ = queue.put(.end(arrived: .now))
    }

    /// Passes answers on until the plan or either side ends them.
    private func deliver() {
        var delivered: Int64 = 0
        var pacer = plan.bytesPerSecond.map { Pacer(bytesPerSecond: $0, startingAt: .now) }
        while let item = queue.take() {
            switch item {
            case .end(let arrived):
                wait(until: arrived + plan.latency)
                wait(until: .now + plan.closeDelay)
                finish(byReset: resetsAtEnd.load(ordering: .acquiring))
                return
            case .bytes(let bytes, let arrived):
                wait(until: arrived + plan.latency)
                let room = plan.earlyEnd.map { $0.bytes - delivered } ?? .max
                let allowed = bytes.prefix(Int(min(Int64(bytes.count), room)))
                guard send(allowed, at: &pacer) else {
                    end()
                    return
                }
                delivered += Int64(allowed.count)
            }
            if let early = plan.earlyEnd, delivered >= early.bytes {
                wait(until: .now + early.delay)
                finish(byReset: early.isReset)
                return
            }
        }
    }

    /// Sends bytes in the plan's slices and at its rate; false when the connection has ended.
    private func send(_ bytes: ArraySlice<UInt8>, at pacer: inout Pacer?) -> Bool {
        var rest = bytes
        while !rest.isEmpty {
            let most = min(plan.sliceSize ?? .max, pacer?.quantum ?? .max)
            let slice = rest.prefix(most)
            if let due = pacer?.reserve(slice.count, at: .now) { wait(until: due) }
            guard !isEnded.load(ordering: .acquiring) else { return false }
            passedOn.add(slice.count)
            guard client.send(slice) else { return false }
            rest = rest.dropFirst(slice.count)
        }
        return true
    }

    /// Ends the connections in order: the delivered bytes arrive first, then the end or the reset.
    private func finish(byReset: Bool) {
        guard byReset else {
            end()
            return
        }
        waitUntilTaken()
        client.resetWhenClosed()
        isEnded.store(true, ordering: .releasing)
        queue.cancel()
        server.end()
    }

    /// Waits until the client's kernel has all bytes sent: a reset drops the others.
    ///
    /// Gives up on a client that does not read.
    private func waitUntilTaken() {
        var left = client.untakenBytes
        var patience = ContinuousClock.now + Self.patience
        while left > 0, ContinuousClock.now < patience, !isEnded.load(ordering: .acquiring) {
            wait(until: .now + .milliseconds(1))
            let now = client.untakenBytes
            if now < left { patience = .now + Self.patience }
            left = now
        }
    }

    /// Sleeps until a time, in short naps so that an end takes effect promptly.
    private func wait(until due: ContinuousClock.Instant) {
        while !isEnded.load(ordering: .acquiring) {
            let left = (due - .now) / .seconds(1)
            guard left > 0 else { return }
            Thread.sleep(forTimeInterval: min(left, 0.02))
        }
    }
}
