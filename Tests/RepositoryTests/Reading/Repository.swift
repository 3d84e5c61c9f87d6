import Foundation
import TestSupport

/// The project's own Swift files.
enum Repository {
    /// Their folders; package manifests are not among them.
    static let swiftFolders = ["Sources", "Tests", "harness/benchmarks/Benchmarks"]

    /// Every Swift file below those folders, read once for all tests.
    private static let swiftSources = Result { try swiftFolders.flatMap(readSwiftSources) }

    /// Every Swift file below the folder, one of ``swiftFolders``.
    static func swiftSources(below folder: String) throws -> [SwiftSource] {
        try swiftSources.get().filter { $0.path.hasPrefix("\(folder)/") }
    }

    private static func readSwiftSources(below folder: String) throws -> [SwiftSource] {
        let paths = try FileManager.default.subpathsOfDirectory(atPath: Checkout.path(folder))
        return try paths.filter { $0.hasSuffix(".swift") }.sorted().map {
            try SwiftSource(path: "\(folder)/\($0)", text: Checkout.text(of: "\(folder)/\($0)"))
        }
    }
}
