internal import ArgumentParser
internal import FixtureOrigin
internal import Foundation
internal import OriginFaults
internal import ProgramStart
internal import RigLab
internal import RigModel
internal import RigRun

struct ServeCommand: ConsoleCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Serve the fixture, or videos of yours, on 127.0.0.1 until Ctrl-C.",
        discussion: """
            Standard output gets the URL of each video. Every request is reported once it has ended: \
            what it asked for, the status, the bytes served, and how it ended; on standard error, \
            or with --json as JSON lines on standard output.

            Faults of --origin-fault, as NAME[:ARG][:TIMES]; all that are given act together:

            \(OriginFault.Kind.table)

            TIME is 50ms or 2s, SIZE 512KB, RATE 1MB/s. TIMES is how many answers the fault \
            strikes (connections, for the first six); all of them where it is not given. In a \
            kill-test answers are counted anew for each launch of the worker. The first six are \
            toxiproxy's, and act on what the client receives.

            Examples:
              rig serve --video-size 20MB --port 8443 --tls
              rig serve film.mp4 --bandwidth 5MB/s --origin-fault latency:50ms
            """)

    @Argument(
        help: ArgumentHelp(
            "Videos to serve instead, each at an address of its own; one line for each.",
            valueName: "file"), completion: .file())
    var files: [String] = []

    @OptionGroup var video: VideoOptions
    @Flag(help: "Print requests as JSON lines.") var json = false
    @OptionGroup var output: OutputOptions

    func validate() throws {
        guard files.isEmpty || video.video == nil else {
            throw ValidationError("Name the videos as arguments, or one with --video, not both.")
        }
        if let fault = video.originFault.first(where: \.kind.facts.isNewVersion) {
            throw ValidationError(
                "--origin-fault \(fault.text) sets in when a killed worker is launched again, and "
                    + "here is none; use change_etag, or 'rig kill-test'.")
        }
    }

    func perform(_ console: Console) async throws -> RigModel.ExitStatus {
        DescriptorLimit.raise()
        let interruption = Interruption()
        let signals = Signals(interruption: interruption)
        defer { withExtendedLifetime(signals) {} }
        let temporary = FileManager.default.temporaryDirectory
            .appendingPathComponent("rig-serve-\(ProcessInfo.processInfo.processIdentifier)").path
        defer { try? FileManager.default.removeItem(atPath: temporary) }
        let videos = try await references(
            into: temporary, unless: interruption, warn: console.error)
        let authority = video.tls ? try RunAuthority(in: temporary) : nil
        let origin = try await FixtureOrigin.listening(
            port: video.port, faults: video.originFault, certifiedBy: authority)
        let mounts = videos.enumerated().map { index, reference in
            // Files in different folders can have the same name.
            let folder = videos.count > 1 ? "/\(index + 1)" : ""
            let resource = Resource(
                source: reference.bytes, contentType: reference.contentType, etag: reference.etag,
                bytesPerSecond: video.bandwidth.map { Double($0.bytesPerSecond) })
            return origin.mount(resource, at: "\(folder)/\(reference.fileName)")
        }
        for mount in mounts {
            var facts = ["url": mount.url]
            facts["ca"] = authority?.file
            console.result(json ? JSONLine.text(facts) : mount.url)
        }
        if let authority { console.note("clients have to trust \(authority.file)") }
        var reported = mounts.map { _ in Set<Int>() }
        func reportAll() {
            for (index, mount) in mounts.enumerated() {
                report(mount, except: &reported[index], to: console)
            }
        }
        while !interruption.isRaised {
            try await Task.sleep(for: .milliseconds(50))
            reportAll()
        }
        await origin.stop()
        reportAll()
        return .success
    }

    private func references(
        into temporary: String, unless interruption: Interruption, warn: (String) -> Void
    ) async throws -> [ReferenceVideo] {
        guard files.isEmpty else { return try files.map { try .file($0, named: $0) } }
        if let local = try video.settings.local() { return [local] }
        return [
            try await video.settings.reference(
                into: RunFolder(creating: temporary), unless: interruption, warn: warn)
        ]
    }

    /// Prints what has ended since, by its end: a hanging request hides no later ones.
    private func report(_ mount: Mount, except reported: inout Set<Int>, to console: Console) {
        for entry in mount.ledger
        where entry.state != .running && reported.insert(entry.ordinal).inserted {
            if json {
                console.result(entry.json(of: mount))
            } else {
                console.note("\(files.count > 1 ? mount.path + " " : "")\(entry.line)")
            }
        }
    }
}

extension LedgerEntry {
    fileprivate var line: String {
        let range = rangeHeader.map { " \($0)" } ?? ""
        return "\(ordinal) \(method)\(range) -> \(status), \(servedBytes) bytes, \(state)"
    }

    fileprivate func json(of mount: Mount) -> String {
        let record = LedgerRecord(
            path: mount.path, ordinal: ordinal, method: method, range: rangeHeader, status: status,
            first_byte: requested?.lowerBound, end_byte: requested?.upperBound,
            served_bytes: Int64(servedBytes), outcome: "\(state)")
        return JSONLine.text(record)
    }
}

private enum JSONLine {
    static func text(_ record: some Encodable) -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return (try? encoder.encode(record)).map { String(decoding: $0, as: UTF8.self) } ?? "{}"
    }
}

private struct LedgerRecord: Encodable {
    let path: String
    let ordinal: Int
    let method: String
    let range: String?
    let status: Int
    let first_byte: Int64?
    /// One past the last requested byte.
    let end_byte: Int64?
    let served_bytes: Int64
    let outcome: String
}
