import Testing

/// Functions and files stay short, and the rule detects long ones.
@Suite struct LengthTests {
    @Test(arguments: Repository.swiftFolders)
    func functionsAndFilesAreShort(folder: String) throws {
        let sources = try Repository.swiftSources(below: folder)
        #expect(sources.flatMap(LengthRule.violations) == [])
    }

    @Test(arguments: [
        ("func long() ", "func long"), ("init(a: [Int] = []) ", "init ("), ("deinit ", "deinit {"),
        ("package static func f<T>(_ g: () -> Void = {}) -> T where T: A ", "func f"),
        ("func f() -> @Sendable () -> Void ", "func f"), ("var sum: Int ", "var sum"),
        ("subscript(index: Int) -> Int ", "subscript ("), ("init?(a: Int) throws(E) ", "init ?"),
        ("func == (a: A, b: A) -> Bool ", "func ="),
    ])
    func aLongBodyIsCaught(head: String, name: String) {
        let source = Self.source(head: head, bodyLines: 69)
        #expect(LengthRule.violations(in: source).count == 1)
        #expect(LengthRule.violations(in: source).allSatisfy { $0.text.hasPrefix(name) })
        #expect(LengthRule.violations(in: Self.source(head: head, bodyLines: 68)) == [])
    }

    @Test func bracesInStringsAndCommentsDoNotCount() {
        let text = """
            func a() {
                f("}") // }
                /* } */
            }
            func b() { f("{") }
            """
        let source = SwiftSource(path: "Sources/Rig/RigModel/A.swift", text: text)
        #expect(LengthRule.functions(of: source).map(\.lineCount) == [4, 1])
    }

    @Test func aRequirementHasNoBodyOfItsOwn() {
        let text = """
            protocol P {
                func a() async throws -> [Int]
                init(b: Int)
                var c: Int { get }
                static func d()
            }
            struct S { let a = S.init(1); var b = [1].map { $0 }; func c() {} }
            """
        let source = SwiftSource(path: "Sources/Rig/RigModel/A.swift", text: text)
        #expect(LengthRule.functions(of: source).map(\.name) == ["var c", "func c"])
    }

    @Test func aLongFileIsCaught() {
        let text = String(repeating: "let a = 1\n", count: 401)
        let long = SwiftSource(path: "Sources/Rig/RigModel/A.swift", text: text)
        let fits = SwiftSource(
            path: "Sources/Rig/RigModel/A.swift", text: String(text.dropLast(10)))
        #expect(LengthRule.violations(in: long).count == 1)
        #expect(LengthRule.violations(in: fits) == [])
    }

    private static func source(head: String, bodyLines: Int) -> SwiftSource {
        let body = String(repeating: "    work()\n", count: bodyLines)
        return SwiftSource(
            path: "Sources/Rig/RigModel/A.swift", text: "struct S {\n\(head){\n\(body)}\n}\n")
    }
}
