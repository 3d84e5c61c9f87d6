import Foundation
import RigModel
import Testing

/// Parts cover a plan, each iteration exactly once.
struct RunPartitionTests {
    @Test(arguments: ["slice:1/1", "slice:3/8", "slice:8/8", "slice:10000000/10000000"])
    func aPartIsReadAsItIsWritten(text: String) { #expect(RunPartition(text)?.text == text) }

    @Test(arguments: [
        "", "1/8", "slice:", "slice:0/8", "slice:9/8", "slice:1/0", "slice:-1/8", "slice:1/8/1",
        "slice: 1/8", "slice:1/", "slice:/8", "slice:+1/8", "slice:1/8 ", "slice:١/8",
        "slice:1/10000001", "slice:1/99999999999999999999", "count:1/8",
    ])
    func anythingElseIsNone(text: String) { #expect(RunPartition(text) == nil) }

    @Test(arguments: [(1, 1), (10, 3), (2, 5), (24, 8), (100, 7)])
    func everyIterationIsInOnePart(iterations: Int, count: Int) throws {
        let parts = try (1...count).map { try #require(RunPartition(index: $0, of: count)) }
        for iteration in 1...iterations { #expect(parts.count { $0.contains(iteration) } == 1) }
        for part in parts {
            #expect(part.size(of: iterations) == (1...iterations).count(where: part.contains))
        }
    }

    @Test func aStoredPartIsReadAgain() throws {
        let part = try #require(RunPartition(index: 3, of: 8))
        let data = try JSONEncoder().encode(part)
        #expect(try JSONDecoder().decode(RunPartition.self, from: data) == part)
    }

    /// An edited or damaged manifest is refused, not read as an empty part.
    @Test(arguments: [(9, 8), (0, 8), (1, 0), (-1, 3)])
    func aStoredPartThatCannotBeIsUnreadable(index: Int, count: Int) {
        let data = Data("{\"index\": \(index), \"count\": \(count)}".utf8)
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode(RunPartition.self, from: data)
        }
    }
}
