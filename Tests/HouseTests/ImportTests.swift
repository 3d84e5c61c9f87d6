import Testing

/// Targets import only what the map allows, and the rule detects other imports.
@Suite struct ImportTests {
    @Test func everyTargetImportsOnlyWhatTheMapAllows() throws {
        let sources = try ["Sources", "harness/benchmarks/Benchmarks"]
            .flatMap(Repository.swiftSources)
        #expect(sources.flatMap(ImportRule.violations) == [])
    }

    @Test func theJudgeNeverImportsTheDefendant() throws {
        let sources = try ["Sources", "Tests"].flatMap(Repository.swiftSources)
        #expect(sources.flatMap(ImportRule.judgeViolations) == [])
    }

    @Test func theMapItselfKeepsJudgeAndDefendantApart() {
        for (target, modules) in ImportRule.map where target.lowercased().hasPrefix("rig") {
            #expect(modules.isDisjoint(with: ["VideoCache", "CurlTransport"]), "\(target)")
        }
    }

    @Test(arguments: [
        "import GRDB", "internal import GRDB", "package import GRDB", "public import GRDB",
        "@testable import GRDB", "@preconcurrency internal import GRDB", "import struct GRDB.Row",
        "private import class GRDB.Database", "import Foundation; import GRDB",
        "#if os(Linux)\n    import GRDB\n#endif", "/* why */ import GRDB // because",
        "@_spi(Test) import GRDB", "import GRDB.Row",
    ])
    func aForbiddenImportIsCaughtInEveryForm(text: String) {
        let source = SwiftSource(path: "Sources/RigModel/A.swift", text: text)
        #expect(ImportRule.violations(in: source).map(\.text.description).count == 1)
        #expect(ImportRule.violations(in: source).allSatisfy { $0.text.contains("GRDB") })
    }

    @Test(arguments: [
        "// import GRDB", "let text = \"import GRDB\"", "#if canImport(GRDB)\n#endif",
        "internal import Foundation", "import Synchronization",
    ])
    func whatIsNoForbiddenImportPasses(text: String) {
        let source = SwiftSource(path: "Sources/RigModel/A.swift", text: text)
        #expect(ImportRule.violations(in: source) == [])
    }

    @Test(arguments: [
        "Sources/RigLab/A.swift", "Sources/rig/A.swift", "Tests/RigEndToEndTests/A.swift",
    ])
    func aJudgeThatImportsTheDefendantIsCaught(path: String) {
        let source = SwiftSource(path: path, text: "@testable import VideoCache")
        #expect(ImportRule.judgeViolations(in: source).count == 1)
        #expect(
            ImportRule.judgeViolations(
                in: SwiftSource(path: "Sources/downloader/A.swift", text: "import VideoCache"))
                == [])
    }

    @Test func aTargetThatIsNotOnTheMapIsCaught() {
        let source = SwiftSource(path: "Sources/Utilities/A.swift", text: "let a = 1")
        #expect(ImportRule.violations(in: source).map(\.path) == [source.path])
    }
}
