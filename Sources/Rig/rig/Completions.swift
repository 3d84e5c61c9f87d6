internal import ArgumentParser
internal import Foundation
internal import OriginFaults
internal import RigModel
internal import RigProfiles
internal import RigSettings

/// What a shell offers for the values of options.
extension CompletionKind {
    /// Worker profiles: the built-in ones, and the files of this folder.
    static var worker: CompletionKind {
        .custom { _, _, _ in
            let files = (try? FileManager.default.contentsOfDirectory(atPath: ".")) ?? []
            return Workers.names
                + files.filter { Workers.isFile($0) && $0 != SettingsFile.name }.sorted()
        }
    }

    /// The profiles of the file that `--config` names, or of `rig.yml` in this folder.
    static var settingsProfile: CompletionKind {
        .custom { words, _, _ in
            let option = words.firstIndex(of: "--config").map { $0 + 1 }
            let named = option.flatMap { words.indices.contains($0) ? words[$0] : nil }
            let path = named ?? SettingsFile.name
            guard let text = try? String(contentsOfFile: path, encoding: .utf8) else { return [] }
            return (try? SettingsFile.profiles(in: YAMLText(name: path, text: text))) ?? []
        }
    }

    /// The moments that have a name.
    static var moment: CompletionKind { .list(Phase.allCases.map(\.rawValue) + ["never"]) }

    static var originFault: CompletionKind { .list(OriginFault.Kind.allCases.map(\.facts.name)) }

    static var yaml: CompletionKind { .file(extensions: ["yml", "yaml"]) }
}
