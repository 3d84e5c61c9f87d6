import Foundation
import TestSupport
import Testing
import Witness

/// The rig holds a worker in a phase: the worker does that phase's work, but cannot leave it.
@Suite struct HoldTests {
    private let page: RawPage
    private let reader: WitnessReader

    init() throws {
        page = try RawPage()
        reader = try WitnessReader(path: page.path)
    }

    /// A process that may make no system call but the telling of its steps.
    private func sealed(_ steps: [PageStep]) throws -> WalkerProcess {
        try WalkerProcess(
            command: [BuiltPrograms.path("PhaseWalker"), "sealed"] + steps.map(\.description),
            environment: PageWriter.environment(page: page.path))
    }

    /// The thread that would leave the phase waits; the other does the phase's work.
    @Test(.timeLimit(.minutes(1))) func noThreadGetsPastTheHold() async throws {
        reader.hold(.committing, entry: 1)
        let writer = try WitnessWriter(path: page.path)
        writer.enter(.receiving)
        writer.enter(.committing)
        let threads = [WitnessPhase.receiving, .connecting].map { phase in
            let thread = Thread { writer.enter(phase) }
            thread.start()
            return thread
        }
        try await eventually("both wait") { reader.waiting == 2 }
        writer.enter(.committing)
        writer.commitReturned()
        #expect(reader.phase == .committing && reader.commits == 1)
        reader.liftHold()
        try await eventually("both go on") { threads.allSatisfy(\.isFinished) }
        #expect(reader.waiting == 0)
    }

    /// The kernel would kill the process at its first system call.
    @Test(.timeLimit(.minutes(1))) func withoutAHoldAPhaseCostsNoSystemCall() throws {
        let walker = try sealed([
            .enter(.recovering), .tell, .enter(.receiving), .tell, .enter(.committing), .tell,
            .finish, .tell,
        ])
        for _ in 1...4 { #expect(try walker.step()) }
    }

    /// Shows that the test above works: a process that has to wait makes a call, and is killed.
    @Test(.timeLimit(.minutes(1))) func aSealedProcessDiesOfASystemCall() throws {
        reader.hold(.committing, entry: 2)
        let walker = try sealed([.enter(.committing), .tell, .enter(.receiving), .tell])
        #expect(try walker.step())
        #expect(try !walker.step())
        #expect(walker.status() == SIGKILL)
    }

    @Test func entriesHoldAndWaitingAreWhereTheTableSays() throws {
        let writer = try WitnessWriter(path: page.path)
        writer.enter(.recovering)
        writer.enter(.recovering)
        for _ in 1...3 {
            writer.enter(.idle)
            writer.enter(.receiving)
        }
        let entries = try (0..<10).map { try page.number(at: 64 + 8 * UInt64($0)) }
        #expect(entries == [1, 1, 0, 3, 0, 0, 0, 0, 0, 3])
        #expect(WitnessPhase.allCases.map { reader.entries(of: $0) } == entries)
        reader.hold(.evicting, entry: 7)
        #expect(try page.number(at: 144) == 7 * 256 + 6)
        try page.write(3, at: 152)
        #expect(reader.waiting == 3)
        // The next worker counts from the start, and the hold applies to it.
        let next = try WitnessWriter(path: page.path)
        #expect(reader.entries(of: .receiving) == 0 && reader.entries(of: .starting) == 1)
        #expect(reader.waiting == 0)
        #expect(try page.number(at: 144) == 7 * 256 + 6)
        withExtendedLifetime(next) {}
    }
}
