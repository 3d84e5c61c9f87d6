/// No test waits without a limit.
///
/// A test that did waited for an orphan, and passed once the orphan was ended by hand. Until then
/// it blocked hundreds of others, and nothing was reported.
enum WaitRule {
    /// The only folder that may wait.
    private static let owner = "Tests/TestSupport/"

    /// Calls that a loop makes only to wait.
    private static let pauses: Set<String> = ["sleep", "usleep", "nanosleep", "Pause", "yield"]

    private static let advice =
        "use eventually or blockUntil, which have a limit and say what was waited for"

    /// Loops in tests that do nothing or sleep, and children started without a limit.
    static func violations(in source: SwiftSource) -> [Violation] {
        guard source.path.hasPrefix("Tests/"), !source.path.hasPrefix(owner) else { return [] }
        let loops = source.tokens.indices.filter { isWait($0, in: source) }.map {
            Violation(
                path: source.path, line: source.tokens[$0].line,
                text: "a wait without a limit: \(advice)")
        }
        let launches = source.occurrences(of: [".", "run", "(", ")"]).filter {
            $0 > 0 && source.tokens[$0 - 1].text == "process"
        }.map {
            Violation(
                path: source.path, line: source.tokens[$0].line,
                text: "a child without a limit: use run(within:)")
        }
        return loops + launches
    }

    private static func isWait(_ index: Int, in source: SwiftSource) -> Bool {
        let token = source.tokens[index]
        guard ["while", "repeat"].contains(token.text),
            // The `while` at the end of a `repeat` has no body of its own.
            index == 0 || source.tokens[index - 1].text != "}"
                || source.tokens[index - 1].line != token.line,
            let body = body(after: index, in: source)
        else { return false }
        return body.isEmpty || body.contains { pauses.contains($0.text) }
    }

    /// The tokens between the braces of the loop.
    private static func body(
        after index: Int, in source: SwiftSource
    ) -> ArraySlice<SwiftSource.Token>? {
        var place = index + 1
        while place < source.tokens.count, source.tokens[place].text != "{" {
            // A closure in the condition is only skipped if it is in brackets.
            if ["(", "["].contains(source.tokens[place].text) {
                guard let end = source.closing(of: place) else { return nil }
                place = end
            }
            place += 1
        }
        guard place < source.tokens.count, let end = source.closing(of: place) else { return nil }
        return source.tokens[(place + 1)..<end]
    }
}
