import Fixture
import OriginFaults
import Testing

@testable import FixtureOrigin

@Suite("Served positions count once") struct ServedPositionsTests {
    struct Dice: RandomNumberGenerator {
        var state: UInt64
        mutating func next() -> UInt64 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return state ^ (state >> 29)
        }
    }

    @Test("Random ranges give what a set of positions gives", arguments: UInt64(0)..<50)
    func againstSet(seed: UInt64) {
        var dice = Dice(state: seed)
        var positions = ServedPositions()
        var model: Set<Int64> = []
        for _ in 0..<60 {
            let start = Int64.random(in: 0..<200, using: &dice)
            let end = start + Int64.random(in: 0..<20, using: &dice)
            let window = start..<start + Int64.random(in: 0..<60, using: &dice)
            let limit = Int64.random(in: 0..<20, using: &dice)
            var reach: Int64 = 0
            var new: Int64 = 0
            while reach < Int64(window.count) {
                if !model.contains(start + reach) { new += 1 }
                if new > limit { break }
                reach += 1
            }
            #expect(positions.reach(in: window, newPositions: limit) == reach)
            positions.insert(start..<end)
            model.formUnion(start..<end)
            #expect(positions.count == Int64(model.count))
            #expect(
                zip(positions.ranges, positions.ranges.dropFirst())
                    .allSatisfy { $0.upperBound < $1.lowerBound })
        }
    }

    @Test("Positions near the largest number do not overflow") func large() {
        var positions = ServedPositions()
        positions.insert(Int64.max - 10..<Int64.max)
        #expect(positions.reach(in: 0..<Int64.max, newPositions: .max) == .max)
        #expect(positions.reach(in: Int64.max - 20..<Int64.max, newPositions: 5) == 5)
        #expect(positions.reach(in: Int64.max - 20..<Int64.max, newPositions: 10) == 20)
    }
}

@Suite("Bytes go evenly at a rate") struct PacerTests {
    let start = ContinuousClock.now

    @Test("A sender that is on time sends at the rate exactly", arguments: [1, 999, 20e6, 1e12])
    func exact(rate: Double) {
        var pacer = Pacer(bytesPerSecond: rate, startingAt: start)
        var now = start
        var bytes = 0
        for _ in 0..<1000 {
            bytes += pacer.quantum
            now = max(now, pacer.reserve(pacer.quantum, at: now))
        }
        let seconds = (now - start) / .seconds(1)
        #expect(abs(seconds * rate / Double(bytes) - 1) < 0.001)
    }

    @Test("A sender whose sleeps overrun still keeps the rate") func overrun() {
        var pacer = Pacer(bytesPerSecond: 1_000_000, startingAt: start)
        var now = start
        for _ in 0..<1000 { now = max(now, pacer.reserve(10_000, at: now)) + .milliseconds(4) }
        #expect(abs((now - start) / .seconds(1) - 10) < 0.02)
    }

    @Test("Time in which nothing could be sent is not caught up") func idle() {
        var pacer = Pacer(bytesPerSecond: 1000, startingAt: start)
        let later = start + .seconds(60)
        #expect(pacer.reserve(1000, at: later) == later - Pacer.patience + .seconds(1))
        pacer.restart(at: later + .seconds(60))
        #expect(pacer.reserve(1000, at: later + .seconds(60)) == later + .seconds(61))
    }

    @Test("A buffer is what takes 10 ms, between one byte and the largest buffer") func quantum() {
        func quantum(_ rate: Double) -> Int {
            Pacer(bytesPerSecond: rate, startingAt: start).quantum
        }
        #expect(quantum(0.5) == 1)
        #expect(quantum(20_000_000) == 200_000)
        #expect(quantum(1e15) == MeteredBody.bufferSize)
    }
}

@Suite("A mount decides what each body does next") struct MountStateTests {
    let now = ContinuousClock.now
    let plan = ResponsePlan(
        answering: RequestFacts(),
        with: Resource(source: MemoryVideo([UInt8](repeating: 0, count: 1000)), etag: "\"x\""))

    @Test("Two bodies share the hold, and positions served before go again freely") func shared() {
        var state = MountState(bytesPerSecond: nil, now: now)
        let one = state.begin(RequestFacts(), plan, now: now)
        let two = state.begin(RequestFacts(), plan, now: now)
        state.setLimit(100, now: now)
        #expect(state.step(one, window: 0..<60, paid: 0, now: now) == .send(60))
        #expect(state.step(two, window: 500..<600, paid: 0, now: now) == .send(40))
        #expect(
            state.step(one, window: 60..<70, paid: 0, now: now) == .hold(version: state.version))
        #expect(state.step(two, window: 0..<600, paid: 0, now: now) == .send(60))
        #expect(state.held == [one])
        state.setLimit(101, now: now)
        #expect(state.step(one, window: 60..<70, paid: 0, now: now) == .send(1))
        #expect(state.held.isEmpty)
        state.setLimit(nil, now: now)
        #expect(state.step(one, window: 61..<70, paid: 0, now: now) == .send(9))
        #expect(state.entries[one]?.servedBytes == 70)
    }

    @Test("A paced body is held at the exact byte too") func pacedAndHeld() {
        var state = MountState(bytesPerSecond: 1000, now: now)
        let one = state.begin(RequestFacts(), plan, now: now)
        state.setLimit(3, now: now)
        #expect(
            state.step(one, window: 0..<100, paid: 0, now: now)
                == .pace(10, until: now + .milliseconds(10)))
        #expect(state.step(one, window: 0..<100, paid: 10, now: now) == .send(3))
        #expect(
            state.step(one, window: 3..<100, paid: 7, now: now) == .hold(version: state.version))
    }

    @Test("A cut ends the bodies of now and leaves those of later alone") func cut() {
        var state = MountState(bytesPerSecond: nil, now: now)
        let one = state.begin(RequestFacts(), plan, now: now)
        state.cut(now: now)
        #expect(state.step(one, window: 0..<10, paid: 0, now: now) == .cut)
        #expect(state.entries[one]?.state == .cut)
        let isNews = state.end(one, .complete, now: now)
        #expect(!isNews)
        #expect(state.entries[one]?.state == .cut)
        let two = state.begin(RequestFacts(), plan, now: now)
        #expect(state.step(two, window: 0..<10, paid: 0, now: now) == .send(10))
    }

    /// A client had left before the head of its answer was sent: no body was begun, and the strike was
    /// lost.
    @Test("An answer that ends before its body gives its strike back") func endsBeforeItsBody() {
        let fault = OriginFault(.truncate, .bytes(100), times: 1)
        let mount = Mount(
            Resource(source: MemoryVideo([UInt8](repeating: 0, count: 1000)), etag: "\"x\""),
            path: "/1", faults: [fault], base: { "" })
        let left = mount.answer(RequestFacts()).ordinal
        mount.end(left, .cut)
        let cut = mount.answer(RequestFacts()).ordinal
        mount.breakOff(cut)
        mount.end(cut, .cut)
        _ = mount.answer(RequestFacts())
        #expect(mount.ledger.map(\.strikes) == [[], [fault], []])
    }

    @Test("A reset forgets requests, not the positions that were served") func reset() {
        var state = MountState(bytesPerSecond: nil, now: now)
        let one = state.begin(RequestFacts(), plan, now: now)
        #expect(state.step(one, window: 0..<10, paid: 0, now: now) == .send(10))
        state.resetLedger()
        #expect(state.step(one, window: 10..<20, paid: 0, now: now) == .send(10))
        #expect(state.entries.isEmpty && state.served.count == 20)
        #expect(state.begin(RequestFacts(), plan, now: now) == 2)
    }
}
