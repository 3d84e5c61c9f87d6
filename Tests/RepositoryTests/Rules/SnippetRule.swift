/// The Swift snippets of the DocC catalogs, each of which stands in a test that runs it.
enum SnippetRule {
    /// A block fenced as `swift`.
    struct Snippet: Hashable {
        /// The catalog's page.
        let page: String
        /// The line of its first fence, from 1.
        let line: Int
        /// Its lines, without indentation.
        let lines: [Substring]
    }

    /// The snippets of a page.
    static func snippets(in page: String, text: String) -> [Snippet] {
        var found: [Snippet] = []
        var open: (line: Int, lines: [Substring])?
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        for (index, line) in lines.enumerated() {
            if let block = open, line == "```" {
                found.append(Snippet(page: page, line: block.line, lines: block.lines))
                open = nil
            } else if open != nil {
                open?.lines.append(line.drop(while: \.isWhitespace))
            } else if line == "```swift" {
                open = (index + 1, [])
            }
        }
        return found
    }

    /// The snippets that stand in none of the tests, line after line.
    ///
    /// - Parameters:
    ///   - snippets: the snippets.
    ///   - tests: the lines of each test.
    /// - Returns: one violation for each.
    static func violations(_ snippets: [Snippet], tests: [[String]]) -> [Violation] {
        let compiled = tests.map { $0.map { $0.drop(while: \.isWhitespace) } }
        return snippets.filter { snippet in !compiled.contains { $0.contains(snippet.lines) } }
            .map {
                Violation(
                    path: $0.page, line: $0.line,
                    text: "this snippet is in no SnippetTests.swift: put it there, so that it is"
                        + " compiled and run")
            }
    }
}
