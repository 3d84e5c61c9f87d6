internal import CFileSystem
internal import Foundation
package import RigModel

/// Keeps a worker from changing files outside the places that the rig inspects, which every kill
/// would spare, and from what other processes have open, such as the video itself (`landlock(7)`).
package enum Confinement {
    private static let programName = "rig-confine"

    package static var isPossible: Bool {
        // In the first version moves to another folder fail, which programs do not expect.
        landlock_version() > 1
    }

    /// Its path; nil where the kernel cannot confine a worker; throws exit code 70 when missing.
    package static func program(beside rig: String) throws(RigError) -> String? {
        guard isPossible else { return nil }
        let folder = URL(fileURLWithPath: rig).deletingLastPathComponent().path
        let path = "\(folder)/\(programName)"
        try RigError.require(
            FileManager.default.isExecutableFile(atPath: path), .failure,
            "\(programName) is not in \(folder), beside rig, which starts each worker through it;"
                + " install rig again")
        return path
    }

    /// A command that may write only below some folders; unchanged where it may write anywhere.
    static func command(_ command: [String], by program: String, to folders: [String]) -> [String] {
        folders.contains("/") ? command : [program, "\(folders.count)"] + folders + command
    }
}
