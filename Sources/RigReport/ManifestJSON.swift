internal import Foundation
package import RigModel

/// `manifest.json`: what a run was.
package enum ManifestJSON {
    /// The manifest as JSON, keys sorted, so that equal manifests are equal bytes.
    package static func text(_ manifest: Manifest) throws -> String {
        try StableJSON.text(manifest)
    }

    /// Reads a stored manifest.
    ///
    /// - Throws: ``ManifestError`` when it is none, of another version, or contradicts itself.
    package static func read(_ text: String) throws -> Manifest {
        let manifest: Manifest
        do {
            let decoder = JSONDecoder()
            decoder.keyDecodingStrategy = .convertFromSnakeCase
            manifest = try decoder.decode(Manifest.self, from: Data(text.utf8))
        } catch let error as DecodingError {
            throw ManifestError.unreadable(error.summary)
        }
        guard manifest.schema == Manifest.schemaVersion else {
            throw ManifestError.otherVersion(manifest.schema)
        }
        guard manifest.plan.isPossible else {
            throw ManifestError.unreadable("its plan has no kill that could be carried out")
        }
        guard manifest.planDigest == manifest.plan.digest else {
            throw ManifestError.otherPlan
        }
        return manifest
    }
}

/// Why a stored manifest cannot be used.
package enum ManifestError: Error, Hashable, CustomStringConvertible {
    /// It is no manifest.
    case unreadable(String)
    /// It was written in another version of the format.
    case otherVersion(Int)
    /// Its plan does not have the digest that it states.
    case otherPlan

    /// What is wrong.
    package var description: String {
        switch self {
        case .unreadable(let detail): detail
        case .otherVersion(let version):
            "it has schema \(version), this rig reads schema \(Manifest.schemaVersion)"
        case .otherPlan: "its plan does not match its plan_digest"
        }
    }
}

/// `evidence.json`: everything observed in an iteration that did not pass.
package enum EvidenceJSON {
    /// The evidence as JSON.
    package static func text(_ evidence: IterationEvidence) throws -> String {
        try StableJSON.text(evidence)
    }
}

/// JSON with sorted keys in `snake_case`, one value per line.
enum StableJSON {
    static func text(_ value: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.keyEncodingStrategy = .convertToSnakeCase
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(value), as: UTF8.self) + "\n"
    }
}

extension DecodingError {
    /// Where the JSON is wrong, in one line.
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
