/// Which modules each target may import.
///
/// SwiftPM does not enforce this by itself: an undeclared import of a sibling can build.
enum ImportRule {
    /// Modules that every target may import: the system's and the language's own libraries.
    static let system: Set<String> = [
        "Darwin", "Dispatch", "Foundation", "FoundationEssentials", "Glibc", "Musl",
        "Synchronization",
    ]

    /// Modules that each target may import beside the system's.
    static let map: [String: Set<String>] = [
        "RigModel": [],
        "Witness": ["Atomics"],
        "Fixture": [],
        "SyscallTracer": ["CPtrace"],
        "FixtureOrigin": ["Fixture", "FlyingFox", "FlyingSocks"],
        "RigLab": [
            "CCurl", "CFileSystem", "CXXHash", "Fixture", "FixtureOrigin", "GRDB", "RigModel",
            "Subprocess", "SyscallTracer", "SystemPackage", "Witness",
        ],
        "RigVerdict": ["Fixture", "RigModel"],
        "RigReport": ["Mustache", "RigModel"],
        "RigBounds": ["RigModel", "Yams"],
        "LocatedYAML": ["RigModel", "Yams"],
        "RigWorkers": ["LocatedYAML", "RigModel", "Yams"],
        "RigSettings": ["LocatedYAML", "RigModel"],
        "rig": [
            "ArgumentParser", "Fixture", "FixtureOrigin", "LocatedYAML", "RigBounds", "RigLab",
            "RigModel",
            "RigReport", "RigSettings", "RigVerdict", "RigWorkers", "SyscallTracer",
        ],
        "VideoCache": ["CXXHash", "GRDB", "GRDBSQLite"],
        "CurlTransport": ["CCurl", "VideoCache"],
        "URLSessionTransport": ["FoundationNetworking", "VideoCache"],
        "PlaybackProxy": ["FlyingFox", "FlyingSocks", "VideoCache"],
        "downloader": [
            "ArgumentParser", "CurlTransport", "GRDB", "Logging", "PlaybackProxy",
            "URLSessionTransport", "VideoCache", "Witness",
        ],
        // A separate package, in harness/benchmarks; it fills caches by SQL.
        "benchmarks": ["Benchmark", "GRDB", "PlaybackProxy", "VideoCache"],
        "CCurl": [],
        "CPtrace": [],
        "CFileSystem": [],
        "CXXHash": [],
    ]

    private static let kinds: Set<String> = [
        "actor", "class", "enum", "func", "let", "macro", "protocol", "struct", "typealias", "var",
    ]

    /// The imports of the file that its target may not have.
    static func violations(in source: SwiftSource) -> [Violation] {
        guard let allowed = map[source.target] else {
            return [
                Violation(
                    path: source.path,
                    text: "the target \(source.target) has no place in the house: give it its"
                        + " imports in ImportRule.map and a line on the map in docs/architecture.md"
                )
            ]
        }
        return imports(of: source).filter { !allowed.union(system).contains($0.text) }.map {
            Violation(
                path: source.path, line: $0.line,
                text: "\(source.target) may not import \($0.text): move the code to a target that"
                    + " may, or change the map in docs/architecture.md and here, and say why")
        }
    }

    /// Imports of the tested code in `Rig*` targets, tests included: the judge must not share it.
    static func judgeViolations(in source: SwiftSource) -> [Violation] {
        guard source.target.lowercased().hasPrefix("rig") else { return [] }
        return imports(of: source).filter {
            ["VideoCache", "CurlTransport", "URLSessionTransport"].contains($0.text)
        }
        .map {
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
