package import Foundation
package import RigLab
package import RigModel

/// Which video a run is about.
package enum VideoSettings: Sendable, Hashable {
    case fixture(length: Int64)
    case file(String)
    /// An address from which it is fetched once, unless it is longer.
    case url(URL, limit: ByteSize)

    /// The same in every run: the fixture's bytes encode only their position.
    package static let fixtureSeed: UInt64 = 1

    /// The video if it is available locally; nil for one that must be fetched.
    package func local() throws -> ReferenceVideo? {
        switch self {
        case .fixture(let length): try .fixture(seed: Self.fixtureSeed, length: length)
        case .file(let path): try .file(path, named: path)
        case .url: nil
        }
    }

    /// The video, fetched into a folder if it is elsewhere.
    package func reference(
        into folder: RunFolder, unless interruption: Interruption, warn: (String) -> Void
    ) async throws -> ReferenceVideo {
        switch self {
        case .fixture(let length): try .fixture(seed: Self.fixtureSeed, length: length)
        case .file(let path): try .file(path, named: path)
        case .url(let url, let limit):
            try await .fetch(url, into: folder, limit: limit, unless: interruption, warn: warn)
        }
    }
}
