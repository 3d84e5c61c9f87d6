internal import Foundation
internal import RigLab
package import RigModel
internal import RigProfiles

/// The files with which a project starts to test its own program: a profile, settings, and a CI job.
package struct StarterFiles {
    private let files: [(path: String, text: String)]

    package init(for command: [String], judgedBy check: String? = nil) throws(RigError) {
        if let check {
            _ = try Workers.program(command)
            // The audit is one of downloads.
            let job = Self.workflow.replacing(
                #/, and audits it: .*\n.* mistakes|.* Audit it\n.*\n.*\n\n| +audit\n/#, with: "")
            files = [
                ("rig.yml", SchemaLine.of("rig") + Self.settings(command, check)),
                (Self.workflowPath, job),
            ]
        } else {
            files = [
                (Self.profilePath, SchemaLine.of("worker") + Self.profile(command)),
                ("rig.yml", SchemaLine.of("rig") + Self.settings),
                (Self.workflowPath, Self.workflow),
            ]
        }
        for (path, _) in files where FileManager.default.fileExists(atPath: path) {
            throw RigError(.usage, "\(path) is there already; remove it, or go to another folder")
        }
        if check == nil { _ = try Workers.read(files[0].text, name: Self.profilePath) }
    }

    package func write() throws(RigError) -> [String] {
        for file in files {
            let place = URL(fileURLWithPath: file.path)
            do {
                try FileManager.default.createDirectory(
                    at: place.deletingLastPathComponent(), withIntermediateDirectories: true)
                // Another program may have written it meanwhile, and would lose it.
                try Data(file.text.utf8).write(to: place, options: .withoutOverwriting)
            } catch {
                throw RigError(.failure, "cannot write \(file.path): \(SystemFailure(error))")
            }
        }
        return files.map(\.path)
    }

    private static let profilePath = "worker.yml"
    private static let workflowPath = ".github/workflows/kill-test.yml"

    private static let workflow = String(decoding: PackageResources.workflow_yml, as: UTF8.self)
        .replacing("{version}", with: RigVersion.current)

    private static func settings(_ command: [String], _ check: String) -> String {
        """
        # The settings of `rig kill-test` here, by the names of its options.
        profiles:
          default:
            command: [\(command.map(YAMLText.quoted).joined(separator: ", "))]
            # Ends with 0 for what is sound, with 1 for what is not; its last line is the reason.
            check: \(YAMLText.quoted(check))
            # Damages {dir}, so that the check has to notice it.
            # check-sees: rm -r {dir}/data
            # Fills {dir} once, before the program is started in it.
            # prepare: ./new.sh {dir}
            # Where the program says what is done: stdout, none, or a file below {dir}.
            said: stdout
            iterations: 100

        """
    }

    private static func profile(_ command: [String]) -> String {
        let program = command.first?.split(separator: "/").last ?? "worker"
        // The characters that a name may have.
        let name = String(program).replacing(/[^A-Za-z0-9._+-]/, with: "-")
        return """
            # The program that rig kill-test kills. docs/profiles.md of the rig says what else can be
            # written here.
            name: \(YAMLText.quoted(name))
            about: ""
            command: [\(command.map(YAMLText.quoted).joined(separator: ", "))]

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
}

/// The line by which editors find the schema of a YAML file, and so complete its keys.
enum SchemaLine {
    /// Where the schemas lie: installed, below the folder that `bin` is in; in a checkout, in it.
    private static let folders = ["share/rig/docs/schemas", "docs/schemas"]
    /// A program in `.build/x86_64-unknown-linux-gnu/release` lies so deep in its checkout.
    private static let mostParents = 4

    /// Empty where no schema lies beside the rig; a path, as there is no address to have it from.
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
