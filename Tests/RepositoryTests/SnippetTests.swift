import Foundation
import TestSupport
import Testing

/// A snippet of the documentation that does not compile is the first thing that a new user meets.
@Suite struct SnippetTests {
    private static func pages() throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: Checkout.path("Sources"))
            .filter { $0.contains(".docc/") && $0.hasSuffix(".md") }.map { "Sources/\($0)" }
            .sorted()
    }

    private static func lines(_ text: String) -> [String] {
        text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    }

    @Test func everySnippetIsCompiledByATest() throws {
        let snippets = try Self.pages().flatMap {
            SnippetRule.snippets(in: $0, text: try Checkout.text(of: $0))
        }
        let tests = try Repository.swiftSources(below: "Tests")
            .filter { $0.path.hasSuffix("/SnippetTests.swift") }.map(\.lines)
        #expect(Set(snippets.map(\.page)).count == 3, "one page for each public library")
        #expect(SnippetRule.violations(snippets, tests: tests) == [])
    }

    @Test func anotherLineIsCaught() {
        let page = "# A\n```swift\nlet a = try b(\n    1)\n```\n```text\nlet c\n```\n"
        let snippets = SnippetRule.snippets(in: "A.md", text: page)
        #expect(snippets.map(\.line) == [2])
        let test = "func f() {\n    let a = try b(\n        1)\n}\n"
        #expect(SnippetRule.violations(snippets, tests: [Self.lines(test)]) == [])
        let other = test.replacing("1)", with: "2)")
        #expect(SnippetRule.violations(snippets, tests: [Self.lines(other)]).map(\.line) == [2])
    }
}
