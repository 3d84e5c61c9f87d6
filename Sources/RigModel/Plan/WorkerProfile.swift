/// How a worker is started and what is known of it: a value, the same for every program.
package struct WorkerProfile: Sendable, Hashable, Codable {
    /// How a worker that keeps a list of videos and their images is started and inspected.
    package struct Library: Sendable, Hashable, Codable {
        /// Program and arguments that refresh it over and over; `{feed}` is the list's address.
        package internal(set) var refreshForever: [String]
        /// Program and arguments that refresh it `{times}` times.
        package internal(set) var refresh: [String]
        /// The SQLite database's file, relative to `{dir}`.
        package internal(set) var database: String
        /// Gives the list in order: `id`, `title`, `description`, `url`, `thumbnail_url`,
        /// `duration`.
        package internal(set) var list: String
        /// Gives one row when a list is there, even an empty one.
        package internal(set) var presence: String
        /// The folder of images, relative to `{dir}`; a file is named by the XXH3-128 of its URL.
        package internal(set) var images: String

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
    package internal(set) var name: String
    /// What it is, in a line.
    package internal(set) var about: String
    /// Program and arguments that download the video, with placeholders `{url}`, `{dir}`,
    /// `{output}`, `{threshold}`, `{durability}`.
    package internal(set) var command: [String]
    /// The server that is killed, where `command` is only its client; nil where `command` is killed.
    package internal(set) var server: WorkerServer?
    /// Where the worker gets the video, for one that speaks no HTTP; nil where that is the origin.
    ///
    /// It serves the folder that `{source}` names, in which the video lies at `{path}`. It is never
    /// killed with the worker.
    package internal(set) var source: WorkerServer?
    /// Files that are written before each launch, such as a server's configuration: by their paths,
    /// which, like what they hold, may have placeholders.
    package internal(set) var files: [String: String]
    /// Environment variables for the worker; their values may have placeholders.
    package internal(set) var environment: [String: String]
    /// Programs that have to be installed, beside those that its commands begin with.
    package internal(set) var needs: [String]
    /// The Debian package that each needed program comes in, where it is known.
    package internal(set) var packages: [String: String]
    /// Program and arguments that write the completed video to `{output}`; nil when `command`
    /// does so itself.
    package internal(set) var export: [String]?
    /// The file that equals the video when the worker has ended well; may have placeholders.
    package internal(set) var completed: String
    /// What a kill may cost, by fault: what its authors promise or its constants imply; a fault that
    /// is not there is reported and not judged.
    package internal(set) var bound: [Fault: LossBound]
    /// Where the bound comes from, in a line; nil without one.
    package internal(set) var boundSource: String?
    /// True for a worker that keeps a witness page: a life without one proves nothing then.
    package internal(set) var writesWitness: Bool
    /// Program and arguments of a proxy that a player plays through; nil when it has none.
    ///
    /// It prints its address as one line, serves `/play?url=…`, and ends in good order, with exit
    /// code 143, when it is asked to by SIGTERM.
    package internal(set) var proxy: [String]?
    /// How it keeps a list of videos and their images; nil when it does not.
    package internal(set) var library: Library?
    /// How to read its state; nil when it is not to be read.
    package internal(set) var inspection: WorkerInspection?
    /// The profile's own placeholders, by name: the arguments in which each stands.
    ///
    /// They follow the command and the proxy's command when `--set` gives a value, and are left out
    /// else.
    package internal(set) var settings: [String: [String]]
    /// Placeholders of the profile's own that may stand anywhere in it, with the values that they
    /// have unless `--set` gives another.
    package internal(set) var defaults: [String: String]
    /// The environment variables that change what the worker does.
    ///
    /// A run keeps those that are set: a replay from another shell has to set them again.
    package internal(set) var variables: [String]
    /// Bugs that it can be told to have, so that a rig can be seen to catch them.
    package internal(set) var sabotages: [PlantedBug]
    /// True when the documents' promises (B1 to B11, `harness/bounds.yml`) are about this worker.
    package internal(set) var isDocumented: Bool
    /// True for a worker that promises to ask the origin whether what it has is still the video, also
    /// once it has all of it; nil for one that does not, and in runs from before it was asked.
    package internal(set) var revalidates: Bool?
    /// Where it may write beside its own folders, by whole paths; nil for nowhere else.
    package internal(set) var writable: [String]?

    /// A worker's profile.
    package init(
        name: String, about: String = "", command: [String], server: WorkerServer? = nil,
        source: WorkerServer? = nil, files: [String: String] = [:],
        environment: [String: String] = [:], needs: [String] = [], packages: [String: String] = [:],
        export: [String]? = nil, completed: String = "{output}",
        bound: [Fault: LossBound] = [:], boundSource: String? = nil, writesWitness: Bool = false,
        proxy: [String]? = nil, library: Library? = nil, inspection: WorkerInspection? = nil,
        settings: [String: [String]] = [:], defaults: [String: String] = [:],
        variables: [String] = [], sabotages: [PlantedBug] = [], isDocumented: Bool = false,
        revalidates: Bool? = nil, writable: [String]? = nil
    ) {
        self.name = name
        self.about = about
        self.command = command
        self.server = server
        self.source = source
        self.files = files
        self.environment = environment
        self.needs = needs
        self.packages = packages
        self.export = export
        self.completed = completed
        self.bound = bound
        self.boundSource = boundSource
        self.writesWitness = writesWitness
        self.proxy = proxy
        self.library = library
        self.inspection = inspection
        self.settings = settings
        self.defaults = defaults
        self.variables = variables
        self.sabotages = sabotages
        self.isDocumented = isDocumented
        self.revalidates = revalidates
        self.writable = writable
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

    /// The name of the reference worker: the one of a run that names none.
    package static let referenceName = "downloader"

    /// Arguments that lift a worker's own limits for experiments; left out where the limits
    /// themselves are looked at (B11).
    package static let limitLifters: Set = ["--allow-small-threshold"]
}
