/// How a worker is started and what is known of it: a value, the same for every program.
package struct WorkerProfile: Sendable, Hashable, Codable {
    /// How a worker that keeps a list of videos and their images is started and inspected.
    package struct Library: Sendable, Hashable, Codable {
        /// Program and arguments that refresh it over and over; `{feed}` is the list's address.
        package let refreshForever: [String]
        /// Program and arguments that refresh it `{times}` times.
        package let refresh: [String]
        /// The SQLite database's file, relative to `{dir}`.
        package let database: String
        /// Gives the list in order: `id`, `title`, `description`, `url`, `thumbnail_url`,
        /// `duration`.
        package let list: String
        /// Gives one row when a list is there, even an empty one.
        package let presence: String
        /// The folder of images, relative to `{dir}`; a file is named by the XXH3-128 of its URL.
        package let images: String

        /// How to start and inspect it.
        package init(
            refreshForever: [String], refresh: [String], database: String, list: String,
            presence: String, images: String
        ) {
            self.refreshForever = refreshForever
            self.refresh = refresh
            self.database = database
            self.list = list
            self.presence = presence
            self.images = images
        }
    }

    /// The worker's word in reports.
    package let name: String
    /// What it is, in a line.
    package let about: String
    /// Program and arguments that download the video, with placeholders `{url}`, `{dir}`,
    /// `{output}`, `{threshold}`, `{durability}`.
    package let command: [String]
    /// The server that is killed, where `command` is only its client; nil where `command` is killed.
    package let server: WorkerServer?
    /// Files that are written before each launch, such as a server's configuration: by their paths,
    /// which, like what they hold, may have placeholders.
    package let files: [String: String]
    /// Environment variables for the worker; their values may have placeholders.
    package let environment: [String: String]
    /// Programs that have to be installed.
    package let needs: [String]
    /// Program and arguments that write the completed video to `{output}`; nil when `command`
    /// does so itself.
    package let export: [String]?
    /// The file that equals the video when the worker has ended well; may have placeholders.
    package let completed: String
    /// What a kill may cost, by fault: what its authors promise or its constants imply; a fault that
    /// is not there is reported and not judged.
    package let bound: [Fault: LossBound]
    /// Where the bound comes from, in a line; nil without one.
    package let boundSource: String?
    /// True for a worker that keeps a witness page: a life without one proves nothing then.
    package let writesWitness: Bool
    /// Program and arguments of a proxy that a player plays through; nil when it has none.
    ///
    /// It prints its address as one line, serves `/play?url=…`, and ends in good order, with exit
    /// code 143, when it is asked to by SIGTERM.
    package let proxy: [String]?
    /// How it keeps a list of videos and their images; nil when it does not.
    package let library: Library?
    /// How to read its state; nil when it is not to be read.
    package let inspection: WorkerInspection?
    /// The profile's own placeholders, by name: the arguments in which each stands.
    ///
    /// They follow the command and the proxy's command when `--set` gives a value, and are left out
    /// else.
    package let settings: [String: [String]]
    /// The environment variables that change what the worker does.
    ///
    /// A run keeps those that are set: a replay from another shell has to set them again.
    package let variables: [String]
    /// Bugs that it can be told to have, so that a rig can be seen to catch them.
    package let sabotages: [PlantedBug]

    /// A worker's profile.
    package init(
        name: String, about: String = "", command: [String], server: WorkerServer? = nil,
        files: [String: String] = [:], environment: [String: String] = [:], needs: [String] = [],
        export: [String]? = nil, completed: String = "{output}",
        bound: [Fault: LossBound] = [:], boundSource: String? = nil, writesWitness: Bool = false,
        proxy: [String]? = nil, library: Library? = nil, inspection: WorkerInspection? = nil,
        settings: [String: [String]] = [:], variables: [String] = [],
        sabotages: [PlantedBug] = []
    ) {
        self.name = name
        self.about = about
        self.command = command
        self.server = server
        self.files = files
        self.environment = environment
        self.needs = needs
        self.export = export
        self.completed = completed
        self.bound = bound
        self.boundSource = boundSource
        self.writesWitness = writesWitness
        self.proxy = proxy
        self.library = library
        self.inspection = inspection
        self.settings = settings
        self.variables = variables
        self.sabotages = sabotages
    }

    /// True for a worker that keeps its completed video where it keeps its state: then `{output}`
    /// lies in `{dir}`, so that it survives or is lost with it.
    ///
    /// What the client of a server writes is no state of the server's.
    package var completesInPlace: Bool { export == nil && server == nil }

    /// True for a worker whose kills are worth nothing unless it does its work when nobody harms it.
    ///
    /// One that can be told to have bugs has to come before the judge with them.
    package var isHeldToItsWork: Bool { sabotages.isEmpty }

    /// The profile with the arguments of its own placeholders filled in.
    ///
    /// - Parameter values: what `--set` gave, by the placeholders' names.
    /// - Returns: the profile.
    /// - Throws: ``RigError`` with exit code 64 for a name that is no placeholder of this worker.
    package func setting(_ values: [String: String]) throws(RigError) -> WorkerProfile {
        var arguments: [String] = []
        for (name, value) in values.sorted(by: { $0.key < $1.key }) {
            guard let pattern = settings[name] else {
                let known = settings.keys.sorted().joined(separator: ", ")
                throw RigError(
                    .usage,
                    "the worker \(self.name) has no placeholder '\(name)' to set; "
                        + (known.isEmpty ? "it has none" : "it has: \(known)"))
            }
            arguments += pattern.map {
                $0 == "{\(name)}" ? value : $0
            }
        }
        return WorkerProfile(
            name: name, about: about, command: command + arguments, server: server, files: files,
            environment: environment, needs: needs, export: export, completed: completed,
            bound: bound, boundSource: boundSource, writesWitness: writesWitness,
            proxy: proxy.map { $0 + arguments }, library: library, inspection: inspection,
            settings: settings, variables: variables, sabotages: sabotages)
    }

    /// Arguments that lift a worker's own limits for experiments; left out where the limits
    /// themselves are looked at (B11).
    package static let limitLifters: Set = ["--allow-small-threshold"]

    /// The name of the reference worker: the promises B1 to B11 are its own.
    package static let referenceName = "downloader"

    /// The reference worker, whose program lies at `executable`.
    package static func downloader(executable: String) -> WorkerProfile {
        WorkerProfile(
            name: referenceName, about: "the reference downloader",
            command: [
                executable, "fetch", "--url", "{url}", "--cache", "{dir}",
                "--threshold", "{threshold}", "--durability", "{durability}",
                "--allow-small-threshold",
            ],
            export: [
                executable, "export", "--cache", "{dir}", "--url", "{url}", "--output", "{output}",
            ],
            bound: Dictionary(uniqueKeysWithValues: Fault.allCases.map { ($0, .threshold) }),
            boundSource: "B1: the threshold per active request", writesWitness: true,
            proxy: [
                executable, "proxy", "--cache", "{dir}", "--port", "0",
                "--threshold", "{threshold}", "--durability", "{durability}",
                "--allow-small-threshold",
                // With its origin stopped it has to fail clearly; pauses between attempts would be
                // most of an iteration.
                "--retries", "0",
            ],
            library: downloaderLibrary(executable: executable),
            inspection: .database(
                Inspection(
                    database: "cache.sqlite",
                    chunks: """
                        SELECT chunk.offset, chunk.bytes, chunk.checksum FROM chunk
                        JOIN video ON video.id = chunk.video_id
                        WHERE video.url = :url ORDER BY chunk.offset
                        """,
                    ranges: """
                        SELECT cached_range.offset, cached_range.length FROM cached_range
                        JOIN video ON video.id = cached_range.video_id WHERE video.url = :url
                        """,
                    files: FileLayout(
                        chunks: """
                            SELECT chunk.offset, chunk.length, chunk.checksum, video.id AS file
                            FROM chunk JOIN video ON video.id = chunk.video_id
                            WHERE video.url = :url ORDER BY chunk.offset
                            """, folder: "data"))),
            settings: [
                "storage": ["--storage", "{storage}"], "capacity": ["--capacity", "{capacity}"],
                "retries": ["--retries", "{retries}"],
                "transport": ["--transport", "{transport}"],
            ], variables: [PlantedBug.downloaderVariable], sabotages: PlantedBug.downloader)
    }

    private static func downloaderLibrary(executable: String) -> Library {
        let refresh = [
            executable, "library", "refresh", "--feed", "{feed}", "--library", "{dir}",
            "--durability", "{durability}", "--quiet", "--repeat",
        ]
        return Library(
            refreshForever: refresh + ["forever"], refresh: refresh + ["{times}"],
            database: "library.sqlite",
            list: """
                SELECT id, title, description, url, thumbnail_url, duration FROM library_video
                ORDER BY position
                """,
            presence: "SELECT timestamp FROM library", images: "images")
    }
}
