import Foundation
import RigModel
import TestSupport
import Testing

/// Tolerances are in one file, and documented, each with a test that exists.
@Suite struct TolerancesTests {
    private static let root = Checkout.root

    @Test func theDocumentationHasTheSameTable() throws {
        let text = try String(
            contentsOf: Self.root.appendingPathComponent("docs/tolerances.md"), encoding: .utf8)
        let rows = text.split(separator: "\n")
            .drop { !$0.hasPrefix("|---") }.dropFirst().prefix { $0.hasPrefix("|") }
        let expected = Tolerances.all.map {
            "| \($0.name) | \($0.value) | \($0.forgives) | \($0.reason) | `\($0.test)` |"
        }
        #expect(rows.map(String.init) == expected)
    }

    @Test func eachHasATestThatThereIs() throws {
        let tests = Self.root.appendingPathComponent("Tests")
        let paths = try FileManager.default.subpathsOfDirectory(atPath: tests.path)
            .filter { $0.hasSuffix(".swift") }
        let sources = try paths.map {
            try String(contentsOf: tests.appendingPathComponent($0), encoding: .utf8)
        }
        for tolerance in Tolerances.all {
            #expect(
                sources.contains { $0.contains("func \(tolerance.test)(") }, "\(tolerance.name)")
        }
        #expect(Set(Tolerances.all.map(\.name)).count == Tolerances.all.count)
    }
}
