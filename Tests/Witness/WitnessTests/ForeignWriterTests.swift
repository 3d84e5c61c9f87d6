import Foundation
import Testing
import TestSupport

@testable import Witness

/// The page that programs in C and Python write is the one that the rig reads.
@Suite struct ForeignWriterTests {
    private let page: RawPage
    private let folder: URL

    init() throws {
        page = try RawPage()
        folder = URL(fileURLWithPath: page.path).deletingLastPathComponent()
    }

    private func run(_ writer: PageWriter, _ steps: [PageStep], on page: RawPage? = nil) throws {
        let (status, words) = try Tool.run(
            writer.command(in: folder) + steps.map(\.description),
            environment: PageWriter.environment(page: (page ?? self.page).path))
        try #require(status == 0, "\(words)")
    }

    private static let download: [PageStep] = [
        .enter(.recovering), .enter(.connecting), .begin(1 << 40), .received(0, 700),
        .enter(.receiving), .begin(5), .enter(.committing), .commit, .acknowledge(0, 600),
        .enter(.receiving), .received(1, 3), .received(0, 1), .enter(.receiving), .end(0),
        // Calls after the end are ignored.
        .received(0, 9), .acknowledge(0, 9), .end(0), .begin(6), .commit, .enter(.completing),
        .end(1), .enter(.idle), .finish,
    ]

    /// More requests than slots: most have ended, and two are still active.
    private static let roundAndRound =
        (0..<2_100).flatMap { index -> [PageStep] in
            let start = UInt64(index)
            return [.begin(start), .received(index, index)]
                + (index == 3 || index == 700 ? [] : [.end(index)])
        } + [.received(3, 5), .acknowledge(700, 600)]

    /// More active requests than slots: those without a slot are counted.
    private static let noRoom =
        (0..<1_030).map { .begin(UInt64($0)) } as [PageStep] + [
            .received(1_029, 1), .end(1_029), .end(7), .begin(99_999), .received(1_030, 4),
        ]

    /// Evictions between requests, more than there are slots.
    private static let evictions: [PageStep] =
        [.begin(1 << 40), .received(0, 700), .commit, .acknowledge(0, 700), .evict(1 << 40, 300)]
        + [.begin(5)] + (0..<1_030).map { .evict(UInt64($0), 7) }

    /// Every byte of the page is what the Swift writer would have written.
    @Test(
        arguments: PageWriter.foreign,
        [
            ("download", download), ("round and round", roundAndRound), ("no room", noRoom),
            ("evictions", evictions),
        ])
    func thePageIsTheSameToTheByte(
        writer: PageWriter, life: (name: String, steps: [PageStep])
    ) throws {
        try run(writer, life.steps)
        let twin = try RawPage()
        try run(.swift, life.steps, on: twin)
        let size = try twin.size()
        let written = try page.bytes(at: 0, count: 1 << 20)
        #expect(written.count == size)
        let expected = try twin.bytes(at: 0, count: size)
        let first = zip(written, expected).enumerated().first { $1.0 != $1.1 }?.offset
        #expect(first == nil, "the first byte that differs")
        #expect(try WitnessReader(path: page.path).requestsBegun > 0)
    }

    @Test(arguments: PageWriter.allCases) func anOldPageIsStartedAfresh(writer: PageWriter) throws {
        try run(.swift, Self.download)
        try page.write(9, at: 152)
        try run(writer, [.enter(.recovering)])
        let reader = try WitnessReader(path: page.path)
        #expect(reader.isWritten && reader.records.isEmpty)
        #expect(reader.commits == 0 && reader.requestsBegun == 0)
        #expect(reader.evictions == [] && reader.waiting == 0)
        #expect(WitnessPhase.allCases.map { reader.entries(of: $0) }.reduce(0, +) == 2)
        #expect(try page.size() == WitnessLayout.pageSize)
    }

    @Test(arguments: PageWriter.allCases) func threadsTakeTurns(writer: PageWriter) throws {
        try run(writer, [.threads(200)])
        let reader = try WitnessReader(path: page.path)
        #expect(reader.commits == 800 && reader.requestsBegun == 800)
        #expect(reader.records.count == 800)
        #expect(reader.records.allSatisfy { $0.received == 1 && !$0.isActive })
        #expect(Set(reader.records.map(\.ordinal)).count == 800)
    }

    /// A program that the rig did not start works as if there were no page.
    @Test(arguments: PageWriter.foreign, [nil, ""])
    func withoutThePageEveryCallDoesNothing(writer: PageWriter, path: String?) throws {
        let command = try writer.command(in: folder)
        let before = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        let (status, words) = try Tool.run(
            command + Self.download.map(\.description),
            environment: PageWriter.environment(page: path))
        #expect(status == 0, "\(words)")
        #expect(words.isEmpty)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == before)
    }

    // MARK: Holds

    private func start(_ writer: PageWriter, _ steps: [PageStep]) throws -> WalkerProcess {
        try WalkerProcess(
            command: writer.command(in: folder) + steps.map(\.description),
            environment: PageWriter.environment(page: page.path))
    }

    private func untilItWaits(_ reader: WitnessReader) async throws {
        try await eventually("it waits") { reader.waiting > 0 }
    }

    @Test(.timeLimit(.minutes(1)), arguments: PageWriter.allCases)
    func aProgramStaysWhereItIsHeld(writer: PageWriter) async throws {
        let reader = try WitnessReader(path: page.path)
        reader.hold(.committing, entry: 2)
        let program = try start(
            writer,
            [
                .enter(.committing), .enter(.receiving), .enter(.committing), .tell,
                // Entering the same phase again is neither an exit nor an entry.
                .enter(.committing), .commit, .tell, .enter(.completing), .tell, .finish, .tell,
            ])
        for _ in 1...2 { #expect(try program.step()) }
        try await untilItWaits(reader)
        #expect(reader.phase == .committing && reader.entries(of: .committing) == 2)
        #expect(reader.entries(of: .completing) == 0 && reader.commits == 1)
        #expect(program.isRunning)
        reader.liftHold()
        for _ in 1...2 { #expect(try program.step()) }
        #expect(program.status() == 0)
        #expect(reader.waiting == 0 && reader.phase == .completing)
    }

    @Test(.timeLimit(.minutes(1)), arguments: PageWriter.allCases)
    func aProgramIsHeldBeforeItsFirstPhaseAndBeforeItsEnd(writer: PageWriter) async throws {
        let reader = try WitnessReader(path: page.path)
        for (phase, steps) in [
            (WitnessPhase.starting, [.enter(.recovering), .tell]),
            (.idle, [.enter(.idle), .finish, .tell]),
        ] as [(WitnessPhase, [PageStep])] {
            reader.hold(phase, entry: 1)
            let program = try start(writer, steps)
            try await untilItWaits(reader)
            #expect(reader.phase == phase)
            #expect(program.isRunning)
            reader.liftHold()
            #expect(try program.step())
            #expect(program.status() == 0)
        }
    }

    @Test(.timeLimit(.minutes(1)), arguments: PageWriter.allCases)
    func aPhaseThatNeverComesHoldsNoProgram(writer: PageWriter) throws {
        let reader = try WitnessReader(path: page.path)
        reader.hold(.evicting, entry: 1)
        try run(writer, [.enter(.recovering), .enter(.idle), .finish])
        #expect(reader.entries(of: .evicting) == 0)
    }

    /// Another layout's bytes at this place are not a hold.
    @Test(.timeLimit(.minutes(1)), arguments: PageWriter.allCases)
    func aHoldOfAnotherVersionIsNone(writer: PageWriter) throws {
        let reader = try WitnessReader(path: page.path)
        try page.write(2, at: 8, count: 4)
        try page.write(256 + 1, at: 144)
        try run(writer, [.enter(.recovering), .enter(.connecting)])
        #expect(reader.phase == .connecting)
    }
}
