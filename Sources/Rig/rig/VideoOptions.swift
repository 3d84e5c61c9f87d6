internal import ArgumentParser
internal import Foundation
internal import OriginFaults
internal import RigLab
internal import RigModel
internal import RigRun

/// What the origin serves and how.
struct VideoOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The video: a file, or an http(s) URL that is fetched once and served from here.",
            valueName: "file|url"), completion: .file())
    var video: String?

    @Option(help: ArgumentHelp("The longest video that is fetched from a URL.", valueName: "size"))
    var videoLimit = ReferenceVideo.standardLimit

    @Option(help: "The size of the fixture that is served without --video.")
    var videoSize = ByteSize(bytes: 10 << 20)

    @Option(
        help: ArgumentHelp(
            "How fast the origin sends, e.g. 20MB/s; unlimited by default. The default of a "
                + "kill-test with a player is 64MB/s, and with a program other than the reference "
                + "downloader 20MB/s, or the video in half a second.", valueName: "rate"))
    var bandwidth: Rate?

    @Option(help: "The origin's port on 127.0.0.1; any free one by default.") var port: UInt16 = 0

    @Flag(help: "Serve over https, with a certificate authority of this run that workers trust.")
    var tls = false

    @Option(
        parsing: .singleValue,
        help: ArgumentHelp(
            "What goes wrong at the origin or on the way to it; may be repeated. "
                + "'rig serve --help' lists the faults.", valueName: "name[:arg]"),
        completion: .originFault,
        transform: { text in
            do { return try OriginFault(text) } catch { throw ValidationError("\(error)") }
        })
    var originFault: [OriginFault] = []

    var settings: VideoSettings {
        guard let video else { return .fixture(length: videoSize.bytes) }
        guard let url = URL(string: video), ["http", "https"].contains(url.scheme?.lowercased())
        else { return .file(video) }
        return .url(url, limit: videoLimit)
    }

    var isElsewhere: Bool { if case .url = settings { true } else { false } }
}
