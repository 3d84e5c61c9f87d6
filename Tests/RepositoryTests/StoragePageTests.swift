import Foundation
import TestSupport
import Testing

/// docs/storage.md says of each invariant which test and which mutant notice that it is broken.
@Suite struct StoragePageTests {
    private static func invariants() throws -> [(number: Int, tests: Substring)] {
        let page = try Checkout.text(of: "docs/storage.md")
        return page.components(separatedBy: "\n**").dropFirst().compactMap { part in
            guard let number = Int(part.prefix { $0.isNumber }),
                let line = part.split(separator: "\n").first(where: { $0.hasPrefix("- Test: ") })
            else { return nil }
            return (number, line)
        }
    }

    @Test func everyInvariantHasATest() throws {
        let invariants = try Self.invariants()
        #expect(invariants.map(\.number) == Array(1...30))
        #expect(invariants.filter { !$0.tests.contains("Tests") }.map(\.number) == [])
    }

    @Test func theTestsAreThere() throws {
        let sources = try Repository.swiftSources(below: "Tests")
        // After `ATests.a` the page says `b` for another test of that suite.
        let name = #/`([A-Z]\w*Tests)(?:\.(\w+))?`|(?:and|,) `([a-z]\w*)`/#
        for (number, tests) in try Self.invariants() {
            var suite = ""
            for found in tests.matches(of: name) {
                suite = found.1.map(String.init) ?? suite
                let test = found.2 ?? found.3
                let parts = ["\(suite) {"] + (test.map { ["func \($0)("] } ?? [])
                let isThere = sources.contains { source in
                    parts.allSatisfy { part in source.lines.contains { $0.contains(part) } }
                }
                #expect(isThere, "\(number): \(found.0) of \(suite)")
            }
        }
    }

    @Test func theMutantsAreThere() throws {
        for (number, tests) in try Self.invariants() {
            for found in tests.matches(of: #/`(\w+-[\w-]+)`/#) {
                let path = "harness/ci/mutants.d/\(found.1).mutant"
                #expect(Checkout.contains(path), "\(number): \(found.1)")
            }
        }
    }
}
