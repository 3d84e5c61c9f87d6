import RigModel
import RigProfiles
import RigSettings

/// A few options like those of `rig kill-test`, enough to test precedence.
enum Sample {
    /// As the argument parser describes them; what it says besides is left out.
    private static let description = """
        {"serializationVersion": 0, "command": {"commandName": "kill-test", "arguments": [
          {"kind": "positional", "isRepeating": true, "valueName": "words"},
          \(option("iterations", valueName: "n", standard: "100")),
          \(option("thresholds", valueName: "list", standard: "512KB")),
          \(option("video", valueName: "file|url")),
          \(option("video-size", standard: "10MB")),
          \(option("worker")),
          \(option("set", isRepeating: true)),
          \(option("gate", isRepeating: true)),
          \(option("trigger", standard: "random")),
          \(option("at", valueName: "value")),
          \(flag("stratify")),
          \(option("seed")),
          \(option("profile", valueName: "name")),
          \(option("config", valueName: "file")),
          \(flag("no-config")),
          \(flag("tls")),
          \(flag("quiet")),
          \(flag("verbose", short: "v")),
          \(flag("help", short: "h"))
        ]}}
        """

    static let options: [OptionFact] = {
        do { return try [OptionFact](description: description) } catch { fatalError("\(error)") }
    }()

    private static func option(
        _ name: String, isRepeating: Bool = false, valueName: String? = nil, standard: String? = nil
    ) -> String {
        """
        {"kind": "option", "names": [{"kind": "long", "name": "\(name)"}],
         "isRepeating": \(isRepeating), "valueName": "\(valueName ?? name)"
         \(standard.map { ", \"defaultValue\": \"\($0)\"" } ?? "")}
        """
    }

    private static func flag(_ name: String, short: String? = nil) -> String {
        let other = short.map { "{\"kind\": \"short\", \"name\": \"\($0)\"}," } ?? ""
        return """
            {"kind": "flag", "names": [\(other) {"kind": "long", "name": "\(name)"}],
             "isRepeating": false, "valueName": "\(name)"}
            """
    }

    /// The levels of a file, lowest first.
    static func levels(of text: String, profile: String? = nil) throws(RigError) -> [[Setting]] {
        try SettingsFile.levels(
            of: YAMLText(name: "rig.yml", text: text), profile: profile, options: options)
    }

    /// The effective settings from a file and a command line.
    static func settings(
        file text: String?, profile: String? = nil, words: [String] = []
    ) throws -> [Setting] {
        let levels = try text.map { try Self.levels(of: $0, profile: profile) } ?? []
        let line = GivenWords(words, options: options)
        return [Setting](merging: levels + [line.settings])
    }
}
