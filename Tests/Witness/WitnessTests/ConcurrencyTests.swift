import Foundation
import Testing
import Witness

/// A reader sees only whole records while a writer updates them without pause.
@Suite struct ConcurrencyTests {
    private static let start: UInt64 = 7 << 20
    private static let step: UInt64 = 4_096

    @Test func aReaderNeverSeesAMixtureOfTwoUpdates() throws {
        let page = try RawPage()
        let writer = try WitnessWriter(path: page.path)
        let reader = try WitnessReader(path: page.path)
        let request = try #require(writer.begin(url: "u", start: Self.start))
        let rounds: UInt64 = 200_000
        let thread = Thread {
            for round in 1...rounds {
                request.receive(Int(Self.step))
                request.acknowledge(upTo: round * Self.step)
            }
            request.end()
        }
        thread.start()
        var last: UInt64 = 0
        var reads = 0
        var isActive = true
        while isActive {
            let record = try #require(reader.records.first)
            let fault = Self.fault(in: record, after: last)
            try #require(fault == nil)
            last = record.received
            isActive = record.isActive
            reads += 1
        }
        #expect(last == rounds * Self.step)
        #expect(reads > 1)
    }

    @Test(arguments: [
        ("start", WitnessRecord(resource: 0, start: 0, received: 8_192, ordinal: 1)),
        (
            "acknowledged ahead",
            WitnessRecord(
                resource: 0, start: 7 << 20, received: 8_192, acknowledged: 12_288, ordinal: 1)
        ),
        (
            "two updates apart",
            WitnessRecord(resource: 0, start: 7 << 20, received: 8_192, ordinal: 1)
        ),
        (
            "going back",
            WitnessRecord(
                resource: 0, start: 7 << 20, received: 4_096, acknowledged: 4_096, ordinal: 1)
        ),
    ])
    func aMixtureIsCaught(_ name: String, record: WitnessRecord) {
        #expect(Self.fault(in: record, after: 8_192) == name)
    }

    @Test func commitsAndRequestsOfSeveralThreadsAllCount() async throws {
        let page = try RawPage()
        let writer = try WitnessWriter(path: page.path)
        await withTaskGroup { group in
            for _ in 0..<8 {
                group.addTask {
                    for _ in 0..<1_000 {
                        writer.commitReturned()
                        writer.begin(url: "u", start: 0)?.end()
                    }
                }
            }
        }
        let reader = try WitnessReader(path: page.path)
        #expect(reader.commits == 8_000 && reader.requestsBegun == 8_000)
        #expect(Set(reader.records.map(\.ordinal)).count == 1_023)
    }

    /// What is impossible in a record that the writer above published; nil if it is consistent.
    private static func fault(in record: WitnessRecord, after last: UInt64) -> String? {
        guard record.start == start else { return "start" }
        guard record.acknowledged <= record.received else { return "acknowledged ahead" }
        guard record.received - record.acknowledged <= step else { return "two updates apart" }
        return record.received < last ? "going back" : nil
    }
}
