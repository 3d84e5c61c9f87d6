import Testing
import Witness

/// The page's bytes are where the documentation says, for programs in other languages.
@Suite struct LayoutTests {
    private let page: RawPage

    init() throws { page = try RawPage() }

    @Test func headerHasMagicVersionAndSlotCount() throws {
        let writer = try WitnessWriter(path: page.path)
        #expect(try page.bytes(at: 0, count: 8) == Array("RIGWITN1".utf8))
        #expect(try page.number(at: 8, count: 4) == 3)
        #expect(try page.number(at: 12, count: 4) == 1023)
        #expect(try page.size() == 256 + 1023 * 128)
        withExtendedLifetime(writer) {}
    }

    @Test(
        arguments: [
            (WitnessPhase.starting, 0), (.recovering, 1), (.connecting, 2), (.receiving, 3),
            (.committing, 4), (.checkpointing, 5), (.evicting, 6), (.cancelling, 7),
            (.completing, 8), (.idle, 9),
        ] as [(WitnessPhase, UInt64)])
    func phaseIsANumberAtSixteen(phase: WitnessPhase, number: UInt64) throws {
        let writer = try WitnessWriter(path: page.path)
        // Comes from another phase, to detect a phase that is never stored.
        writer.enter(phase == .idle ? .starting : .idle)
        writer.enter(phase)
        #expect(try page.number(at: 16, count: 4) == number)
        #expect(try WitnessReader(path: page.path).phase == phase)
    }

    @Test func everyPhaseHasANumberInTheTable() {
        #expect(WitnessPhase.allCases.map(\.rawValue) == Array(0...9))
    }

    @Test func countersAreAtTwentyFourAndThirtyTwo() throws {
        let writer = try WitnessWriter(path: page.path)
        for _ in 0..<3 { writer.commitReturned() }
        for start in 0..<5 { writer.begin(url: "u", start: UInt64(start))?.end() }
        #expect(try page.number(at: 24) == 3)
        #expect(try page.number(at: 32) == 5)
    }

    @Test func aSlotAlternatesBetweenItsTwoRecords() throws {
        let writer = try WitnessWriter(path: page.path)
        let first = try #require(writer.begin(url: "http://127.0.0.1/v", start: 1))
        let second = try #require(writer.begin(url: "foobar", start: 0x0102_0304_0506_0708))
        let slot: UInt64 = 256 + 128
        #expect(try page.number(at: slot) == 1)
        #expect(try page.number(at: slot + 8) == 0x8594_4171_F739_67E8)
        #expect(try record(at: slot + 56) == [0x0102_0304_0506_0708, 0, 0, 2, 1])

        second.receive(700)
        #expect(try page.number(at: slot) == 2)
        #expect(try record(at: slot + 16) == [0x0102_0304_0506_0708, 700, 0, 2, 1])

        second.acknowledge(upTo: 600)
        #expect(try page.number(at: slot) == 3)
        #expect(try record(at: slot + 56) == [0x0102_0304_0506_0708, 700, 600, 2, 1])

        second.end()
        #expect(try page.number(at: slot) == 4)
        #expect(try record(at: slot + 16) == [0x0102_0304_0506_0708, 700, 600, 2, 2])
        withExtendedLifetime(first) {}
    }

    @Test func anEvictionIsInTheSlotOfItsNumber() throws {
        let writer = try WitnessWriter(path: page.path)
        let request = writer.begin(url: "u", start: 1)
        writer.evict(url: "foobar", start: 4, length: 5)
        #expect(try page.number(at: 40) == 1)
        writer.begin(url: "u", start: 2)?.end()
        writer.evict(url: "a", start: 6, length: 7)
        #expect(try page.number(at: 40) == 2)
        let slots: [UInt64] = [256, 256 + 128]
        let numbers = try slots.map { slot in
            try (0..<4).map { try page.number(at: slot + 96 + 8 * $0) }
        }
        #expect(numbers[0] == [0x8594_4171_F739_67E8, 4, 5, 1])
        #expect(numbers[1] == [0xAF63_DC4C_8601_EC8C, 6, 7, 2])
        let reader = try WitnessReader(path: page.path)
        #expect(reader.evictions?.map(\.start) == [4, 6] && reader.records.count == 2)
        withExtendedLifetime(request) {}
    }

    /// A page that has dropped evictions cannot account for every byte.
    @Test func moreEvictionsThanSlotsAreCountedAndNotTold() throws {
        let writer = try WitnessWriter(path: page.path)
        let reader = try WitnessReader(path: page.path)
        for number in 0..<1_023 { writer.evict(url: "u", start: UInt64(number), length: 1) }
        #expect(reader.evictions?.count == 1_023)
        writer.evict(url: "u", start: 5_000, length: 1)
        #expect(reader.evictions == nil)
        #expect(try page.number(at: 40) == 1_024)
    }

    /// The published test vectors of 64-bit FNV-1a.
    @Test(
        arguments: [
            ("", 0xCBF2_9CE4_8422_2325), ("a", 0xAF63_DC4C_8601_EC8C),
            ("foobar", 0x8594_4171_F739_67E8),
        ] as [(String, UInt64)])
    func resourceIsFNV1a(url: String, hash: UInt64) {
        #expect(WitnessLayout.resource(of: url) == hash)
    }

    private func record(at offset: UInt64) throws -> [UInt64] {
        try (0..<5).map { try page.number(at: offset + 8 * $0) }
    }
}
