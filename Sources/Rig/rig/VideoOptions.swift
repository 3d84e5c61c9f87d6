internal import ArgumentParser
internal import Fixture
internal import FixtureOrigin
internal import Foundation
internal import RigLab
internal import RigModel

/// What the origin serves and how.
struct VideoOptions: ParsableArguments {
    @Option(
        name: .long,
        help: ArgumentHelp(
            "The video: a file, or an http(s) URL that is fetched once and served from here.",
            valueName: "file|url"))
    var video: String?

    @Option(
        name: .long,
        help: ArgumentHelp("The longest video that is fetched from a URL.", valueName: "size"))
    var videoLimit = ReferenceVideo.standardLimit

    @Option(name: .long, help: "The size of the fixture that is served without --video.")
    var videoSize = ByteSize(bytes: 10 << 20)

    @Option(
        name: .long, help: ArgumentHelp("The origin's pace, e.g. 20MB/s.", valueName: "rate"))
    var bandwidth: Rate?

    @Option(name: .long, help: "The origin's port on 127.0.0.1; any free one by default.")
    var port: UInt16 = 0

    @Option(
        name: .long, parsing: .singleValue,
        help: ArgumentHelp(
            "What goes wrong at the origin or on the way to it; may be repeated. "
                + "'rig serve --help' lists the faults.", valueName: "name[:arg]"),
        transform: { text in
            do { return try OriginFault(text) } catch { throw ValidationError("\(error)") }
        })
    var originFault: [OriginFault] = []

    /// The same in every run: the fixture's bytes encode only their position.
    static let fixtureSeed: UInt64 = 1

    /// The URL to fetch the video from; nil when it is not a URL.
    var videoURL: URL? {
        guard let video, let url = URL(string: video),
            ["http", "https"].contains(url.scheme?.lowercased())
        else { return nil }
        return url
    }

    /// The video, if nothing must be fetched.
    ///
    /// - Throws: ``RigError`` with exit code 64 for a file that cannot be read.
    func localVideo() throws -> ReferenceVideo {
        if let video { return try .file(video, named: video) }
        return try .fixture(seed: Self.fixtureSeed, length: videoSize.bytes)
    }

    /// The resource that the origin serves.
    func resource(_ video: ReferenceVideo) -> Resource {
        Resource(
            source: video.bytes, contentType: video.contentType, etag: video.etag,
            bytesPerSecond: bandwidth.map { Double($0.bytesPerSecond) })
    }

    /// A listening origin with the requested faults.
    ///
    /// - Parameter isElsewhere: true for a fault that the origin does not carry out.
    /// - Returns: the origin.
    /// - Throws: ``RigError`` with exit code 69 when it cannot listen.
    func startOrigin(
        without isElsewhere: (OriginFault) -> Bool = { _ in false }
    ) async throws -> FixtureOrigin {
        try await .listening(port: port, faults: originFault.filter { !isElsewhere($0) })
    }
}

extension FixtureOrigin {
    /// A listening origin.
    ///
    /// - Throws: ``RigError`` with exit code 69 when it cannot listen.
    static func listening(port: UInt16 = 0, faults: [OriginFault]) async throws -> FixtureOrigin {
        let origin = FixtureOrigin(port: port, faults: OriginFaults(faults))
        do {
            try await origin.start()
        } catch {
            throw RigError(.unavailable, "\(error)")
        }
        return origin
    }
}
