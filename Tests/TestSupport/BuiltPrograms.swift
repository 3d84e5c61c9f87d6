import Foundation

/// Programs that are built with the tests.
package enum BuiltPrograms {
    /// Their folder: the test bundle is a file in it, or a folder beside them.
    package static let folder: String = {
        let bundle = Bundle.main.bundleURL.path
        // Every build of the tests has this one.
        return FileManager.default.fileExists(atPath: "\(bundle)/CacheFiller")
            ? bundle : Bundle.main.executableURL?.deletingLastPathComponent().path ?? bundle
    }()

    /// The path of one of them.
    package static func path(_ name: String) -> String { "\(folder)/\(name)" }
}
