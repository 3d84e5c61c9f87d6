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
            let settings = Self.text(PackageResources.checked_yml, command, check: check)
            files = [("rig.yml", SchemaLine.of("rig") + settings), (Self.workflowPath, job)]
        } else {
            let program = command.first?.split(separator: "/").last ?? "worker"
            // The characters that a name may have.
            let name = String(program).replacing(/[^A-Za-z0-9._+-]/, with: "-")
            let profile = Self.text(PackageResources.worker_yml, command, name: name)
            files = [
                (Self.profilePath, SchemaLine.of("worker") + profile),
                ("rig.yml", SchemaLine.of("rig") + Self.text(PackageResources.settings_yml)),
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

    /// A file whose `{command}`, `{check}` and `{name}` stand for what is given.
    private static func text(
        _ template: [UInt8], _ command: [String] = [], check: String = "", name: String = ""
    ) -> String {
        let values = [
            "command": "[\(command.map(YAMLText.quoted).joined(separator: ", "))]",
            "check": YAMLText.quoted(check), "name": YAMLText.quoted(name),
        ]
        return String(decoding: template, as: UTF8.self)
            .replacing(/\{(command|check|name)\}/) { values[String($0.output.1)] ?? "" }
    }
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
