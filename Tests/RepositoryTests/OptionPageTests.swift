import TestSupport
import Testing

/// docs/limits.md has every sentence of the one list of options that do not go together.
@Suite struct OptionPageTests {
    @Test func thePageHasEverySentence() throws {
        let page = try Checkout.text(of: "docs/limits.md").split(separator: "\n")
        let list = try Checkout.text(of: "Sources/Rig/rig/OptionRules.swift")
        // Those in which no value is named.
        let literals = #/(?m)^ +(\x22[^\x22\\\n]*\x22(?:\n +\+ \x22[^\x22\\\n]*\x22)*):/#
        let sentences = list.matches(of: literals).map { found in
            found.1.matches(of: #/\x22([^\x22]*)\x22/#).map { String($0.1) }.joined()
        }.filter { $0.hasSuffix(".") }
        #expect(sentences.count > 20)
        let told = page.filter { $0.hasPrefix("- `") && $0.hasSuffix(".`") }
        #expect(told.map { String($0.dropFirst(3).dropLast()) } == sentences)
    }
}
