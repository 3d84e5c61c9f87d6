import Foundation

/// What may be at the top level, and what the documents say about it.
enum LayoutRule {
    /// All entries allowed at the top level of the repository.
    static let entries: Set<String> = [
        ".ci", ".gitignore", ".swift-format", "CHANGELOG.md", "CONTRIBUTING.md", "LICENSE",
        "Package.swift", "README.md", "Sources", "Tests", "docs", "harness", "results",
    ]

    /// Entries that tools leave there and git ignores.
    static let leftovers: Set<String> = [
        ".DS_Store", ".build", ".git", ".swiftpm", "Package.resolved",
    ]

    /// The entries that are not allowed at the top level.
    static func violations(inTopLevel names: [String]) -> [Violation] {
        names.filter {
            !entries.union(leftovers).contains($0) && !$0.hasSuffix(".profraw")
        }.map {
            Violation(
                path: $0, text: "has no place at the top level: put it beside what it belongs to")
        }
    }

    /// The page with the map of the sources.
    static let mapPage = "docs/architecture.md"

    /// The rooms and targets below `Sources` that the map does not name.
    static func violations(ofMapIn document: String, folders: [String]) -> [Violation] {
        let named = Set(
            document.split(separator: "\n").compactMap {
                $0.drop(while: \.isWhitespace).split(separator: " ").first
            })
        return folders.filter { !named.contains("\($0)/") }.map {
            Violation(
                path: mapPage,
                text: "the map does not name \($0): add a line that begins with \($0)/")
        }
    }

    /// Scripts that a document tells its reader to run, but that are missing or not executable.
    static func violations(
        ofCommandsIn document: String, path: String, isRunnable: (String) -> Bool
    ) -> [Violation] {
        commands(in: document).filter { !isRunnable($0) }.map {
            Violation(path: path, text: "there is no script \($0) to be run: mend the name")
        }
    }

    /// The relative links of a document to targets that do not exist.
    static func violations(
        ofLinksIn document: String, path: String, exists: (String) -> Bool
    ) -> [Violation] {
        document.components(separatedBy: "](").dropFirst()
            .map { String($0.prefix { $0 != ")" && $0 != "#" }) }
            .filter { !$0.isEmpty && !$0.contains(":") && !exists($0) }
            .map { Violation(path: path, text: "the link to \($0) leads nowhere: mend it") }
    }

    /// Paths of scripts named in the document; one with an extension is a file to read, not to run.
    static func commands(in document: String) -> [String] {
        let words = document.split { $0.isWhitespace || "`()[]|,;:\"'".contains($0) }.map {
            $0.last == "." ? $0.dropLast() : $0
        }
        let paths = words.filter { word in
            ["harness/", ".ci/"].contains(where: word.hasPrefix) && word.last != "/"
                && word.split(separator: "/").last?.contains(".") == false
        }
        return Set(paths.map(String.init)).sorted()
    }
}
