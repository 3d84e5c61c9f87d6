import Testing

/// Banned constructs do not occur, and the rule detects them.
@Suite struct BanTests {
    @Test(arguments: Repository.swiftFolders)
    func nothingBannedIsWritten(folder: String) throws {
        let sources = try Repository.swiftSources(below: folder)
        #expect(sources.flatMap(BanRule.violations) == [])
    }

    @Test(arguments: [
        "let a = Date()", "let a = Foundation.Date()", "let a = Date.now",
        "let a = Date(timeIntervalSinceNow: 3)", "let a = Int.random(in: 0..<f(1))",
        "let a = list.randomElement()", "let a = list.shuffled()", "list.shuffle()",
        "var a = SystemRandomNumberGenerator()", "let a = UUID()", "print(1)", "Swift.print(1)",
        "debugPrint(1)", "let a = try! f()", "final class A: @unchecked Sendable {}",
        "nonisolated(unsafe) let a = 1", "let a = 1\n\nnonisolated(unsafe) let b = 1",
        "let a = \"at \\(Date())\"", "Date ( )",
        "let a = (path as NSString).deletingLastPathComponent",
    ])
    func aPlantedViolationIsCaught(text: String) {
        let source = SwiftSource(path: "Sources/Rig/RigLab/Lab/A.swift", text: text)
        #expect(BanRule.violations(in: source).count == 1)
    }

    @Test(arguments: [
        "let a = Date(timeIntervalSince1970: 0)",
        "let a = Int.random(in: 0..<9, using: &generator)",
        "let a = list.shuffled(using: &generator)", "let a = UUID(uuidString: text)",
        "// print(1)", "let a = \"print(1) try! Date()\"", "page.print(1)",
        "func print(_ a: Int) {}",
        "imprint(1)", "let a = url.deletingLastPathComponent()", "let a = try f()",
        "if try !isSo() {}", "let a = try? f()", "SomeDate()",
        "// Written once, before any other thread is there.\nnonisolated(unsafe) let a = 1",
    ])
    func whatIsRightPasses(text: String) {
        let source = SwiftSource(path: "Sources/Rig/RigLab/Lab/A.swift", text: text)
        #expect(BanRule.violations(in: source) == [])
    }

    @Test(arguments: ["print(1)", "let a = Date()", "let a = UInt64.random(in: 0...9)"])
    func theExecutablesOwnOutputClockAndRandomness(text: String) {
        for path in [
            "Sources/Rig/rig/A.swift", "Sources/Cache/downloader/A.swift",
            "Sources/Cache/downloader-with-bugs/A.swift", "Tests/RigTests/A.swift",
        ] {
            #expect(BanRule.violations(in: SwiftSource(path: path, text: text)) == [])
        }
    }

    @Test(arguments: ["let a = try! f()", "final class A: @unchecked Sendable {}"])
    func noFileMayTakeTheseShortCuts(text: String) {
        for path in ["Sources/Rig/rig/A.swift", "Tests/Rig/RigLabTests/A.swift"] {
            #expect(BanRule.violations(in: SwiftSource(path: path, text: text)).count == 1)
        }
    }
}
