import Testing

/// The judge never imports what it judges, and the rule detects it in every form.
@Suite struct ImportTests {
    @Test func theJudgeNeverImportsWhatItJudges() throws {
        let sources = try ["Sources", "Tests"].flatMap(Repository.swiftSources)
        #expect(sources.flatMap(ImportRule.violations) == [])
    }

    @Test(arguments: [
        "import VideoCache", "internal import VideoCache", "public import VideoCache",
        "@testable import VideoCache", "@preconcurrency internal import VideoCache",
        "import struct VideoCache.ByteRange", "import Foundation; import VideoCache",
        "#if os(Linux)\n    import VideoCache\n#endif", "/* why */ import VideoCache // because",
        "@_spi(Test) import VideoCache", "import PlaybackProxy",
    ])
    func aForbiddenImportIsCaughtInEveryForm(text: String) {
        for path in ["Rig/RigLab", "Rig/rig", "Rig/RigEndToEndTests"] {
            let source = SwiftSource(path: "Sources/\(path)/A.swift", text: text)
            #expect(ImportRule.violations(in: source).map(\.path) == [source.path])
        }
        let other = SwiftSource(path: "Sources/Cache/downloader/A.swift", text: text)
        #expect(ImportRule.violations(in: other) == [])
    }

    @Test(arguments: [
        "// import VideoCache", "let text = \"import VideoCache\"",
        "#if canImport(VideoCache)\n#endif", "internal import Foundation",
    ])
    func whatIsNoForbiddenImportPasses(text: String) {
        let source = SwiftSource(path: "Sources/Rig/RigModel/A.swift", text: text)
        #expect(ImportRule.violations(in: source) == [])
    }
}
