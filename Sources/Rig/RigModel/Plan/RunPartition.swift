/// A part of a plan: every N-th iteration, starting with the M-th (`--partition slice:M/N`): any
/// number of parts gives the same set of kills.
package struct RunPartition: Sendable, Hashable, Codable {
    package let index: Int
    package let count: Int

    package init?(index: Int, of count: Int) {
        guard (1...KillPlan.mostIterations).contains(count), (1...count).contains(index) else {
            return nil
        }
        (self.index, self.count) = (index, count)
    }

    package init?(_ text: String) {
        guard text.hasPrefix(Self.prefix) else { return nil }
        let numbers = text.dropFirst(Self.prefix.count)
            .split(separator: "/", omittingEmptySubsequences: false)
        guard numbers.count == 2,
            numbers.allSatisfy({ $0.utf8.allSatisfy { (0x30...0x39).contains($0) } }),
            let index = Int(numbers[0]), let count = Int(numbers[1])
        else { return nil }
        self.init(index: index, of: count)
    }

    private static let prefix = "slice:"

    /// Reads a stored part; an impossible one, such as 9 of 8, is a `DecodingError`.
    package init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        let index = try fields.decode(Int.self, forKey: .index)
        let count = try fields.decode(Int.self, forKey: .count)
        guard let part = RunPartition(index: index, of: count) else {
            throw DecodingError.dataCorrupted(
                .init(
                    codingPath: decoder.codingPath,
                    debugDescription: "there is no part \(index) of \(count)"))
        }
        self = part
    }

    private enum CodingKeys: String, CodingKey { case index, count }

    /// The part as written on the command line: `slice:3/8`.
    package var text: String { "\(Self.prefix)\(index)/\(count)" }

    package var words: String { "part \(index) of \(count)" }

    package var folderName: String { "part-\(index)-of-\(count)" }
    package func contains(_ iteration: Int) -> Bool { (iteration - 1) % count == index - 1 }
    package func size(of iterations: Int) -> Int { (iterations + count - index) / count }
}

/// A part that a run was merged from.
package struct MergedPart: Sendable, Hashable, Codable {
    package let partition: RunPartition
    /// The id of the part's own run, which its rows name.
    package let runID: String
    package let host: String?
    /// ISO 8601, UTC.
    package let startedAt: String
    /// The number of other folders with an identical copy of the part; nil for none.
    package let copies: Int?

    private enum CodingKeys: String, CodingKey {
        // `run_id` in the file: the key strategy converts `runId` to it and back.
        case runID = "runId"
        case partition, host, startedAt, copies
    }

    package init(
        partition: RunPartition, runID: String, host: String?, startedAt: String, copies: Int? = nil
    ) {
        (self.copies, self.partition, self.runID, self.host) = (copies, partition, runID, host)
        self.startedAt = startedAt
    }
}
