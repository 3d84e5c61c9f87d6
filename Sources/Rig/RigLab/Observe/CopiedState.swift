internal import Foundation
internal import RigModel

/// The copy of a worker's state, with paths as the worker's profile names them.
struct CopiedState: Sendable {
    /// The copy's folder, which replaces `{dir}`.
    let folder: String
    /// The completed video's name in the state folder; nil for a worker that stores it elsewhere.
    var outputName: String?

    /// A file in the copy by the profile's path, with `{dir}`, `{output}`, or relative to `{dir}`;
    /// throws exit code 64 for another path: what was not copied may have changed since the kill.
    func path(_ path: String) throws(RigError) -> String {
        // The folder itself may be relative, so only the text of the path is checked.
        var name = path
        if let outputName { name.replace("{output}", with: "{dir}/\(outputName)") }
        if name.hasPrefix("{dir}/") { name.removeFirst("{dir}/".count) }
        guard !name.hasPrefix("/"), !name.contains(#/\{[a-z_]+\}/#),
            !name.split(separator: "/").contains("..")
        else { throw Self.outside(path) }
        // A link is copied as one, and may lead to a file that has changed since the kill.
        let real = RealPath.of(folder)
        guard RealPath.isIn([real], "\(real)/\(name)") else { throw Self.outside(path) }
        return "\(folder)/\(name)"
    }

    private static func outside(_ path: String) -> RigError {
        RigError(
            .usage,
            "\(path) is no file of the worker's state folder, and the rig reads a copy of that;"
                + " let inspect name a file in {dir}")
    }
}
