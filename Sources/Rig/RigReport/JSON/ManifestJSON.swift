internal import Foundation
package import RigModel

package enum ManifestJSON {
    /// The manifest as JSON with sorted keys, so that equal manifests are equal bytes.
    package static func text(_ manifest: Manifest) throws -> String {
        try StableJSON.text(manifest)
    }

    package static func read(_ text: String) throws -> Manifest {
        let manifest = try StableJSON.read(Manifest.self, from: text)
        try check(manifest)
        return manifest
    }

    /// Refuses a manifest of another version, and one that contradicts itself.
    static func check(_ manifest: Manifest) throws {
        guard manifest.schema == Manifest.schemaVersion else {
            throw ManifestError.otherVersion(manifest.schema)
        }
        guard manifest.plan.isPossible else {
            throw ManifestError.unreadable("its plan has no kill that could be carried out")
        }
        guard manifest.planDigest == manifest.plan.digest else { throw ManifestError.otherPlan }
        guard manifest.parts.map(isWhole) ?? true,
            manifest.parts == nil || manifest.partition == nil
        else { throw ManifestError.unreadable("its parts are not those of one plan, each once") }
    }

    private static func isWhole(_ parts: [MergedPart]) -> Bool {
        !parts.isEmpty && Set(parts.map(\.partition.count)).count == 1
            && zip(parts, parts.dropFirst()).allSatisfy { $0.partition.index < $1.partition.index }
    }
}

package enum ManifestError: Error, Hashable, CustomStringConvertible {
    case unreadable(String)
    case otherVersion(Int)
    case otherPlan
    case otherKill

    package var description: String {
        switch self {
        case .unreadable(let detail): detail
        case .otherVersion(let version):
            "it has schema \(version), this rig reads schema \(Manifest.schemaVersion)"
        case .otherPlan: "its plan does not match its plan_digest"
        case .otherKill: "its kill is not the one that its manifest's plan has there"
        }
    }
}

/// `plan.json`: a kill with everything needed to repeat it.
package enum StoredKillJSON {
    package static func text(_ kill: StoredKill) throws -> String { try StableJSON.text(kill) }

    package static func read(_ text: String) throws -> StoredKill {
        let kill = try StableJSON.read(StoredKill.self, from: text)
        guard kill.schema == StoredKill.schemaVersion else {
            throw ManifestError.otherVersion(kill.schema)
        }
        try ManifestJSON.check(kill.manifest)
        guard kill.isOfItsPlan else { throw ManifestError.otherKill }
        return kill
    }
}

/// JSON with sorted keys in `snake_case`, one value per line.
package enum StableJSON {
    package static func text(_ value: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.keyEncodingStrategy = .convertToSnakeCase
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(value), as: UTF8.self) + "\n"
    }

    package static func read<Value: Decodable>(
        _ type: Value.Type, from text: String
    ) throws -> Value {
        do {
            let decoder = JSONDecoder()
            decoder.keyDecodingStrategy = .convertFromSnakeCase
            return try decoder.decode(type, from: Data(text.utf8))
        } catch let error as DecodingError {
            throw ManifestError.unreadable(error.summary)
        }
    }
}

extension DecodingError {
    fileprivate var summary: String {
        switch self {
        case .keyNotFound(let key, _): "the key '\(key.stringValue)' is missing"
        case .typeMismatch(_, let context), .valueNotFound(_, let context):
            "'\(context.codingPath.map(\.stringValue).joined(separator: "."))' has the wrong type"
        case .dataCorrupted(let context): context.debugDescription
        @unknown default: "it is not the JSON of a manifest"
        }
    }
}
