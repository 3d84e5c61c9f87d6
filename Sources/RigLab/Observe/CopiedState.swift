internal import Foundation
internal import RigModel

/// The copy of a worker's state, by the names that the worker's profile has for what is in it.
struct CopiedState: Sendable {
    /// The copy's folder, which stands for `{dir}`.
    let folder: String
    /// The completed video's name in the state folder; nil for a worker that has it elsewhere.
    var outputName: String?

    /// Where a file of the state lies in the copy.
    ///
    /// - Parameter path: as the profile has it: with `{dir}` or `{output}`, or relative to the state
    ///   folder.
    /// - Returns: a path in the copy.
    /// - Throws: ``RigError`` with exit code 64 for one that leads out of the state folder: what was
    ///   not copied may have changed since the kill.
    func path(_ path: String) throws(RigError) -> String {
        // The folder may be relative itself, so a path is told by its own words alone.
        var name = path
        if let outputName { name.replace("{output}", with: "{dir}/\(outputName)") }
        if name.hasPrefix("{dir}/") { name.removeFirst("{dir}/".count) }
        guard !name.hasPrefix("/"), !name.contains(#/\{[a-z_]+\}/#),
            !name.split(separator: "/").contains("..")
        else { throw Self.outside(path) }
        return "\(folder)/\(name)"
    }

    private static func outside(_ path: String) -> RigError {
        RigError(
            .usage,
            "\(path) is no file of the worker's state folder, and the rig reads a copy of that;"
                + " let inspect name a file in {dir}")
    }
}
