public import ArgumentParser
internal import CurlTransport
internal import Foundation
internal import VideoCache

// Conformances of the library's types are public, and so is the import that they need.
extension Durability: ExpressibleByArgument {}

extension StorageLayout: ExpressibleByArgument {}

extension Revalidation: ExpressibleByArgument {}

struct FillingOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("The cache's folder; created when absent.", valueName: "dir"),
        completion: .directory)
    var cache: String

    @Option(
        help: ArgumentHelp(
            "The most bytes that a kill may lose per request: a size such as 256KB, conservative "
                + "(256KB), default (512KB), aggressive (1MB), or disabled.",
            valueName: "size"))
    var threshold = ThresholdArgument(bytes: 512 << 10)

    @Flag(help: "Accept thresholds below 256KB, for experiments.")
    var allowSmallThreshold = false

    @Option(
        help: ArgumentHelp(
            "Where the bytes are kept: in a file per video, or in the database's rows.",
            discussion: """
                Chosen when the cache is created, file unless told otherwise; afterwards the \
                cache's own layout is used, and asking for the other one is an error.
                """))
    var storage: StorageLayout?

    @Option(help: "What a commit must survive: a killed process, or a power cut.")
    var durability: Durability = .process

    @Option(
        help: ArgumentHelp(
            "The free disk space below which a request that begins is not saved: playing goes on, "
                + "and a fetch fails.",
            valueName: "size"))
    var reserve = SizeArgument(bytes: 0)

    @Option(
        help: ArgumentHelp(
            "How often a failure that may be temporary is tried again; new bytes reset the count.",
            valueName: "n"))
    var retries = 3

    @Option(
        help: ArgumentHelp(
            "When to ask the origin whether a cached video is still the same.",
            discussion: """
                stale: when the time is over for which the origin has said that it stays the same; \
                always: each time. Where the origin says nothing, a video stays as it is until \
                then.
                """))
    var revalidate: Revalidation = .stale

    func validate() throws {
        guard retries >= 0 else { throw ValidationError("--retries must not be negative.") }
        _ = try policy()
    }

    func policy() throws -> SavePolicy {
        guard let bytes = threshold.bytes else { return .disabled }
        do {
            return try SavePolicy(threshold: bytes, allowingSmall: allowSmallThreshold)
        } catch {
            throw ValidationError("\(error)")
        }
    }

    /// Opens the cache, and creates what does not exist; a capacity of nil is no limit.
    func open(
        capacity: Int64? = nil, memory: Int64 = 0, with parts: DownloaderParts,
        observer: ObserverGroup
    ) throws -> VideoCache {
        let database = try SQLiteChunkStore(
            folder: cache, durability: parts.durability(durability), layout: storage,
            capacity: capacity.flatMap(parts.capacity), memory: MemoryTier(limit: memory),
            observer: observer)
        let videos = VideoCache(
            store: try parts.store(OpenedStore(database, capacity: capacity)),
            reserve: DiskReserve(folder: cache, bytes: reserve.bytes))
        for case let log as LogObserver in observer.members { log.follow(videos) }
        return videos
    }
}

struct SpeakingOptions: ParsableArguments {
    @Flag(help: "Say nothing but errors.")
    var quiet = false

    @Flag(name: .shortAndLong, help: "Log the life of each request to standard error.")
    var verbose = false
}

/// `--threshold`: a size, or a preset by its name (B11); nil for disabled.
struct ThresholdArgument {
    let bytes: Int?
}

extension ThresholdArgument: ExpressibleByArgument {
    init?(argument: String) {
        if let preset = SavePolicy.preset(argument) {
            self.init(bytes: preset.threshold)
        } else if let bytes = size(argument) {
            self.init(bytes: bytes)
        } else {
            return nil
        }
    }

    var defaultValueDescription: String { bytes.map { "\($0 >> 10)KB" } ?? "disabled" }
}

/// `--capacity`, `--memory` and `--reserve`: a size.
struct SizeArgument {
    let bytes: Int64
}

extension SizeArgument: ExpressibleByArgument {
    init?(argument: String) {
        guard let bytes = size(argument) else { return nil }
        self.init(bytes: Int64(bytes))
    }

    var defaultValueDescription: String { "\(bytes >> 20)MB" }
}

struct OriginOptions: ParsableArguments {
    @OptionGroup var trust: TrustOptions

    @Option(
        name: .customLong("header"), parsing: .unconditionalSingleValue,
        help: ArgumentHelp(
            "A header of every request, 'Name: value'; may be repeated.",
            discussion: """
                It is never stored, and its value is in no log and no error. Another host to which \
                a redirect leads does not get it.
                """, valueName: "header"))
    var headers: [String] = []

    @Flag(
        help: ArgumentHelp(
            "Send these headers, and those of players, also to other hosts to which redirects lead."
        ))
    var sendHeadersToOtherHosts = false

    func validate() throws { _ = try fields() }

    /// The headers; an error about one does not show its value.
    private func fields() throws -> HTTPFields {
        var fields = HTTPFields()
        for header in headers {
            do { try fields.add(header) } catch { throw ValidationError("--header: \(error).") }
        }
        return fields
    }

    /// A transport that works as the options say; nil follows the usual number of redirects, and
    /// sends the headers to every host and not to that of an address alone.
    func transport(redirects: Int? = nil, of home: String? = nil) throws -> CurlTransport {
        var options = trust.options
        options.fields = try fields()
        options.sendsFieldsToOtherHosts = sendHeadersToOtherHosts
        options.home = sendHeadersToOtherHosts ? nil : home
        if let redirects { options.maximumRedirects = redirects }
        return CurlTransport(options: options)
    }
}

/// The certificate authorities by which an https origin is trusted.
struct TrustOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The certificate authorities to trust (PEM), in the place of the system's.",
            valueName: "file"), completion: .file())
    var caFile: String?

    func validate() throws {
        guard let caFile, !FileManager.default.isReadableFile(atPath: caFile) else { return }
        throw ValidationError("--ca-file: cannot read '\(caFile)'; name a file of certificates.")
    }

    var options: CurlTransport.Options { CurlTransport.Options(authorities: caFile) }
}

struct AddressOptions: ParsableArguments {
    @Argument(help: ArgumentHelp("The video's address, http or https.", valueName: "url"))
    var address: String?

    @Option(help: "The address as an option, in the place of the argument.")
    var url: String?

    func validate() throws {
        guard address == nil || url == nil else {
            throw ValidationError("There are two addresses; leave out --url.")
        }
    }

    var given: String? { address ?? url }

    var required: String {
        get throws {
            guard let given else {
                throw ValidationError("No video is named; give its address, as an argument.")
            }
            return given
        }
    }
}

/// Where a command writes a video to: `-` is the standard output.
struct OutputFile: ExpressibleByArgument {
    let name: String

    init(argument: String) { name = argument }

    /// What it names now; throws ``CacheError`` for a folder, or a path that leads nowhere.
    var place: OutputPlace {
        get throws {
            // The name that systems give to it, which may lead through /proc.
            ["-", "/dev/stdout"].contains(name) ? .standardOutput : try .of(name)
        }
    }

    /// Throws if the output is one of the cache's own files: a rename would destroy the cache.
    func check(besideCache cache: String) throws {
        let path: String
        switch try? place {
        case .file(let target)?: path = target
        // A folder may be the cache's own, too. What else cannot be written is said when it is.
        case nil: path = self.name
        case .stream?, .standardOutput?: return
        }
        let file = URL(fileURLWithPath: path)
        let place = file.deletingLastPathComponent().resolvingSymlinksInPath().path
        let folder = URL(fileURLWithPath: cache).resolvingSymlinksInPath()
        let data = folder.appendingPathComponent("data").resolvingSymlinksInPath().path
        let name = file.lastPathComponent.lowercased()
        let isDatabase =
            place == folder.path
            && (name.hasPrefix("cache.sqlite") || ["data", "proxy-key"].contains(name))
        guard isDatabase || place == data || place.hasPrefix(data + "/") else { return }
        throw ValidationError("\(self.name) belongs to the cache itself; choose another file.")
    }
}
