internal import Foundation
internal import RigLab

/// The line by which editors find the schema of a YAML file, and so complete its keys.
enum SchemaLine {
    /// Where the schemas lie: installed, below the folder that `bin` is in; in a checkout, in it.
    private static let folders = ["share/rig/docs/schemas", "docs/schemas"]
    /// A program in `.build/x86_64-unknown-linux-gnu/release` lies so deep in its checkout.
    private static let mostParents = 4

    /// The line of a schema such as `worker`, with its end; empty where none lies beside the rig.
    ///
    /// It names a path, because there is no address yet from which the schemas can be had.
    static func of(_ name: String) -> String {
        guard let path = path(of: "\(name).schema.json") else { return "" }
        return "# yaml-language-server: $schema=\(path)\n"
    }

    private static func path(of file: String) -> String? {
        guard var folder = Bundle.main.executableURL?.resolvingSymlinksInPath() else { return nil }
        for _ in 0...mostParents {
            folder.deleteLastPathComponent()
            for place in folders {
                let path = "\(folder.path)/\(place)/\(file)".replacing("//", with: "/")
                // A blank would end the line's value.
                if path.isFile, !path.contains(" ") { return path }
            }
        }
        return nil
    }
}
