internal import Foundation
package import RigModel

/// The files with which a project starts to test its own program: a profile, settings, and a CI job.
package struct StarterFiles {
    /// Their paths relative to the project, and their content.
    private let files: [(path: String, text: String)]
    private let folder: String

    /// Prepares the files for a program.
    ///
    /// - Parameters:
    ///   - command: the program and its arguments, with placeholders.
    ///   - folder: the project's folder.
    /// - Throws: ``RigError`` with exit code 64 when one of the files is there already.
    package init(for command: [String], in folder: String) throws(RigError) {
        self.folder = folder
        files = [
            (Self.profilePath, Self.profile(command)), ("rig.yml", Self.settings),
            (
                ".github/workflows/kill-test.yml",
                String(decoding: PackageResources.workflow_yml, as: UTF8.self)
            ),
        ]
        for file in files where FileManager.default.fileExists(atPath: path(of: file.path)) {
            throw RigError(
                .usage,
                "\(path(of: file.path)) is there already; remove it, or name another folder with "
                    + "--out")
        }
    }

    /// Writes the files.
    ///
    /// - Returns: their paths.
    /// - Throws: ``RigError`` with exit code 70 when one cannot be written.
    package func write() throws(RigError) -> [String] {
        for file in files {
            let place = URL(fileURLWithPath: path(of: file.path))
            do {
                try FileManager.default.createDirectory(
                    at: place.deletingLastPathComponent(), withIntermediateDirectories: true)
                // Another program may have written it meanwhile, and would lose it.
                try Data(file.text.utf8).write(to: place, options: .withoutOverwriting)
            } catch {
                throw RigError(
                    .failure,
                    "cannot write \(path(of: file.path)): \(error.localizedDescription); name "
                        + "another folder with --out")
            }
        }
        return files.map { path(of: $0.path) }
    }

    private func path(of file: String) -> String { folder == "." ? file : "\(folder)/\(file)" }

    private static let profilePath = "worker.yml"

    private static func profile(_ command: [String]) -> String {
        let name = command.first?.split(separator: "/").last.map(String.init) ?? "worker"
        return """
            # The program that rig kill-test kills. docs/profiles.md of the rig says what else can be
            # written here.
            name: \(quoted(name))
            about: ""
            command: [\(command.map(quoted).joined(separator: ", "))]

            # What the program may lose in a kill, in bytes, and who says so. Without it, what is lost
            # is reported and not judged.
            # bound: {sigkill: 65536}
            # bound_source: the program's manual, section 3

            # Where the program keeps unfinished bytes, so that they are compared with the video after
            # each kill.
            # inspect: {file: "{output}.part"}

            """
    }

    private static let settings = """
        # The settings of `rig kill-test` here, by the names of its options.
        profiles:
          default:
            worker: ./\(profilePath)
            iterations: 100
            # Add what the program may lose, such as lost_bytes.max <= 1MB.
            gate: [violations == 0, corrupt_bytes == 0]

        """

    /// A string as JSON has it, which YAML reads alike.
    private static func quoted(_ text: String) -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .withoutEscapingSlashes
        return (try? encoder.encode(text)).map { String(decoding: $0, as: UTF8.self) } ?? "\"\""
    }
}
