package import Foundation

/// The checkout that the tests were compiled from; paths are relative to it.
package enum Checkout {
    /// Its folder.
    package static let root: URL = {
        var folder = URL(fileURLWithPath: #filePath)
        for _ in 0..<3 { folder.deleteLastPathComponent() }
        return folder
    }()

    /// The absolute path of an entry.
    package static func path(_ relative: String) -> String {
        root.appendingPathComponent(relative).path
    }

    /// The text of a file.
    package static func text(of path: String) throws -> String {
        try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)
    }

    /// The names in a folder, sorted.
    package static func entries(of folder: String = ".") throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: path(folder)).sorted()
    }

    /// True if the file or folder exists.
    package static func contains(_ path: String) -> Bool {
        FileManager.default.fileExists(atPath: self.path(path))
    }

    /// True if the file exists and is executable.
    package static func isExecutable(_ path: String) -> Bool {
        FileManager.default.isExecutableFile(atPath: self.path(path))
    }
}
