/// The judge never imports what it judges.
///
/// Which target may import which is written in `Package.swift`, and the builds of `harness/test`
/// refuse every other import. This rule holds even for a `Package.swift` that allows one.
enum ImportRule {
    /// The modules under judgement.
    static let judged: Set<String> = [
        "CurlTransport", "DownloaderCommands", "OfflineLibrary", "PlantedBugs", "PlaybackProxy",
        "VideoCache",
    ]

    private static let kinds: Set<String> = [
        "actor", "class", "enum", "func", "let", "macro", "protocol", "struct", "typealias", "var",
    ]

    /// Imports of the tested code in `Rig*` targets, tests included: the judge must not share it.
    static func violations(in source: SwiftSource) -> [Violation] {
        guard source.target.lowercased().hasPrefix("rig") else { return [] }
        return imports(of: source).filter { judged.contains($0.text) }.map {
            Violation(
                path: source.path, line: $0.line,
                text: "\(source.target) judges \($0.text) and may not import it: read the"
                    + " worker's state with the rig's own code")
        }
    }

    /// The imported modules, in any import form, with their lines.
    static func imports(of source: SwiftSource) -> [SwiftSource.Token] {
        source.occurrences(of: ["import"]).compactMap { index in
            var module = index + 1
            guard module < source.tokens.count else { return nil }
            if kinds.contains(source.tokens[module].text) { module += 1 }
            guard module < source.tokens.count else { return nil }
            return source.tokens[module]
        }
    }
}
