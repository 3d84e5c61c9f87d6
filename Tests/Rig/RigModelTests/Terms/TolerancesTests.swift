import Foundation
import RigModel
import TestSupport
import Testing

/// Tolerances are in one file, and documented, each with a test that exists.
@Suite struct TolerancesTests {
    /// The constants by their names in the documentation, with what it must say of their sizes.
    private static let sizes: [(name: String, size: String)] = [
        ("duplicates", size(Tolerances.duplicateBytesPerRequest)),
        ("commit size", size(Tolerances.commitShortfallBytes)),
        ("commit size, in parts", "\(Tolerances.commitShortfallParts) of 512"),
        ("commits in hand", "\(Tolerances.commitsPerActiveRequest)"),
        (
            "free after an eviction",
            "\(Tolerances.freeThresholdsPerRequest) thresholds per active request"
        ),
        ("used last", "1/\(Tolerances.recentPartOfCapacity) of the capacity"),
        ("probe", "\(Tolerances.probeBytes) bytes"),
        ("compared", size(Tolerances.comparedBytesPerRequest)),
        ("accidental matches", "fewer than \(Tolerances.fewestRightBytes) bytes in a row"),
        ("drift", "\(number(100 * Tolerances.usualDrift)) %"),
        ("rounding", "\(number(Tolerances.lossPercentRounding)) %"),
        ("throughput", number(Tolerances.leastThroughputRatio)),
        ("memory", size(Tolerances.memoryGrowthBytes)),
        ("read in hand", "\(Tolerances.readInHandBytes) bytes"),
        ("settling", "\(number(Tolerances.settlingSeconds)) s"),
        (
            "requests in the page that never reached the origin",
            Tolerances.requestsBegunPerAsked == 2 ? "half" : ""
        ),
        ("moment", "\(number(1000 * Tolerances.momentSeconds)) ms"),
        ("recovery spread", number(Tolerances.recoverySpread)),
        ("fewest kills in recoveries", "\(Tolerances.fewestRecoveryKills)"),
        ("kill spread", number(Tolerances.leastSpreadProbability)),
    ]

    private static func size(_ bytes: Int64) -> String { ByteSize(bytes: bytes).description }

    private static func number(_ value: Double) -> String { String(format: "%g", value) }

    /// The cells of the documentation's table of constants, row by row.
    private static func rows() throws -> [[String]] {
        try Checkout.text(of: "docs/tolerances.md").split(separator: "\n")
            .drop { !$0.hasPrefix("|---") }.dropFirst().prefix { $0.hasPrefix("|") }
            .map { $0.dropFirst(2).dropLast(2).components(separatedBy: " | ") }
    }

    @Test func theDocumentationHasEachWithItsSizeAndReason() throws {
        let rows = try Self.rows()
        #expect(rows.map { Array($0.prefix(2)) } == Self.sizes.map { [$0.name, $0.size] })
        #expect(rows.allSatisfy { $0.count == 5 && !$0.contains("") })
        let constants = try Checkout.text(of: "Sources/Rig/RigModel/Terms/Tolerances.swift")
            .split(separator: "\n").filter { $0.contains(" static let ") }
        #expect(constants.count == rows.count)
    }

    @Test func eachHasATestThatThereIs() throws {
        let paths = try FileManager.default.subpathsOfDirectory(atPath: Checkout.path("Tests"))
            .filter { $0.hasSuffix(".swift") }
        let sources = try paths.map { try Checkout.text(of: "Tests/\($0)") }
        let rows = try Self.rows()
        for row in rows {
            let tests = (row.last ?? "").replacing("`", with: "").components(separatedBy: ", ")
            for test in tests {
                #expect(!test.isEmpty)
                #expect(sources.contains { $0.contains("func \(test)(") }, "\(row)")
            }
        }
        #expect(Set(rows.map(\.first)).count == rows.count)
    }
}
