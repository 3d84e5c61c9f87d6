import Foundation

/// The files of the repository that this test was compiled from.
enum Repository {
    /// The repository's folder.
    static let root: URL = {
        var folder = URL(fileURLWithPath: #filePath)
        for _ in 0..<4 { folder.deleteLastPathComponent() }
        return folder
    }()

    /// The folders of the project's own Swift files, except for the package manifests.
    static let swiftFolders = ["Sources", "Tests", "harness/benchmarks/Benchmarks"]

    /// Every Swift file below those folders, read once for all tests.
    private static let swiftSources = Result { try swiftFolders.flatMap(readSwiftSources) }

    /// Every Swift file below the folder, one of ``swiftFolders``.
    static func swiftSources(below folder: String) throws -> [SwiftSource] {
        try swiftSources.get().filter { $0.path.hasPrefix("\(folder)/") }
    }

    private static func readSwiftSources(below folder: String) throws -> [SwiftSource] {
        let paths = try FileManager.default.subpathsOfDirectory(
            atPath: root.appendingPathComponent(folder).path)
        return try paths.filter { $0.hasSuffix(".swift") }.sorted().map {
            try SwiftSource(path: "\(folder)/\($0)", text: text(of: "\(folder)/\($0)"))
        }
    }

    /// The text of a file, by its path relative to the repository.
    static func text(of path: String) throws -> String {
        try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)
    }

    /// The names in a folder, by its path relative to the repository.
    static func entries(of folder: String = ".") throws -> [String] {
        try FileManager.default.contentsOfDirectory(
            atPath: root.appendingPathComponent(folder).path
        ).sorted()
    }

    /// True if the file or folder exists.
    static func contains(_ path: String) -> Bool {
        FileManager.default.fileExists(atPath: root.appendingPathComponent(path).path)
    }

    /// True if the file exists and is executable.
    static func isExecutable(_ path: String) -> Bool {
        FileManager.default.isExecutableFile(atPath: root.appendingPathComponent(path).path)
    }
}
