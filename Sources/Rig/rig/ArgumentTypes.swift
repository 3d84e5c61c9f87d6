internal import ArgumentParser
internal import Foundation
internal import OriginFaults
internal import RigModel
internal import RigProfiles
internal import RigSettings

extension ByteSize: ExpressibleByArgument {
    /// Parses a size such as `10MB`.
    public init?(argument: String) { self.init(argument) }
}

extension Durability: ExpressibleByArgument {}

/// A time such as `2s`, `500ms` or `1.5`, which is one in seconds.
struct Seconds: ExpressibleByArgument {
    let value: Double

    init?(argument: String) {
        let isMilliseconds = argument.hasSuffix("ms")
        let unit = isMilliseconds ? 2 : argument.hasSuffix("s") ? 1 : 0
        guard let number = Double(argument.dropLast(unit)), number.isFinite, number > 0 else {
            return nil
        }
        value = isMilliseconds ? number / 1000 : number
    }
}

/// A bandwidth such as `20MB/s`.
struct Rate: ExpressibleByArgument {
    let bytesPerSecond: Int64

    init?(argument: String) {
        let text = argument.hasSuffix("/s") ? String(argument.dropLast(2)) : argument
        guard let size = ByteSize(text), size.bytes > 0 else { return nil }
        bytesPerSecond = size.bytes
    }
}

/// Refuses options where something does not hold, with what is wrong and what to do.
func require(_ holds: Bool, _ complaint: @autoclosure () -> String) throws {
    guard holds else { throw ValidationError(complaint()) }
}

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

    static var moment: CompletionKind {
        .list(Phase.allCases.map(\.rawValue) + [Trigger.end, "never"])
    }
    static var originFault: CompletionKind { .list(OriginFault.Kind.allCases.map(\.facts.name)) }
    static var yaml: CompletionKind { .file(extensions: ["yml", "yaml"]) }
}
