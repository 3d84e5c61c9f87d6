import Testing

/// The rules see all code, and no comments or strings.
@Suite struct ReadingTests {
    @Test(arguments: [
        ("a // print(1)\nb", "a            \nb"),
        ("a /* x /* y */ z */ b", "a                   b"),
        (#"f("print(1)") + g"#, "f(          ) + g"),
        (#"f("a\"b") + g"#, "f(      ) + g"),
        (#"f("a\(x + "in") b") + g"#, "f(   (x +     )   ) + g"),
        (##"f(#"a"b\#(x)"#) + g"##, "f(       (x)  ) + g"),
        (#"f("\\") + g"#, "f(    ) + g"),
        ("f(\"\"\"\n  say \"hi\" {\n  \"\"\") + g", "f(   \n            \n     ) + g"),
        (#"f("\(g(1)) // no comment")"#, "f(  (g(1))               )"),
    ])
    func commentsAndStringsAreBlank(source: String, code: String) throws {
        #expect(try CodeMask.mask(source) == code)
    }

    @Test(arguments: [("a\nlet x = \"open\nb", 2), ("/* open", 1), ("\n\n\"\"\"\nopen", 3)])
    func whatHasNoEndIsReported(source: String, line: Int) {
        #expect(throws: CodeMask.LostPlace(line: line)) { try CodeMask.mask(source) }
        let file = SwiftSource(path: "Sources/Rig/RigModel/A.swift", text: source)
        #expect(file.violation?.line == line)
    }

    @Test func tokensKnowTheirLines() {
        let source = SwiftSource(
            path: "Sources/Rig/rig/A.swift", text: "let a = 1 // b\nfoo.bar(2)")
        #expect(
            source.tokens.map(\.text) == ["let", "a", "=", "1", "foo", ".", "bar", "(", "2", ")"])
        #expect(source.tokens.map(\.line) == [1, 1, 1, 1, 2, 2, 2, 2, 2, 2])
        #expect(source.closing(of: 7) == 9)
    }

    @Test(arguments: Repository.swiftFolders)
    func everyFileCanBeRead(folder: String) throws {
        let sources = try Repository.swiftSources(below: folder)
        #expect(!sources.isEmpty)
        #expect(sources.compactMap(\.violation) == [])
    }
}
