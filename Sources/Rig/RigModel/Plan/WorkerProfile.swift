/// How a worker is started and what is known of it, in the same form for every program.
package struct WorkerProfile: Sendable, Hashable, Codable {
    /// How a worker that stores a list of videos and their images is started and inspected.
    package struct Library: Sendable, Hashable, Codable {
        /// Program and arguments that refresh it forever; `{feed}` is the list's address.
        package internal(set) var refreshForever: [String]
        /// Program and arguments that refresh it `{times}` times.
        package internal(set) var refresh: [String]
        /// The SQLite database's file, relative to `{dir}`.
        package internal(set) var database: String
        /// A query, in order: `id`, `title`, `description`, `url`, `thumbnail_url`, `duration`.
        package internal(set) var list: String
        /// A query that gives one row when a list is stored, even an empty one.
        package internal(set) var presence: String
        /// The image folder, relative to `{dir}`; each file is named by the XXH3-128 of its URL.
        package internal(set) var images: String

        package init(
            refreshForever: [String], refresh: [String], database: String, list: String,
            presence: String, images: String
        ) {
            (self.refreshForever, self.refresh, self.database) = (refreshForever, refresh, database)
            (self.list, self.presence, self.images) = (list, presence, images)
        }
    }

    package internal(set) var name: String
    package internal(set) var about: String
    /// Program and arguments that download the video, with placeholders.
    package internal(set) var command: [String]
    /// The server that is killed, when `command` is only its client; nil when `command` is killed.
    package internal(set) var server: WorkerServer?
    /// What serves the folder `{source}`, with the video at `{path}`, to a worker that does not
    /// speak HTTP, and is never killed with it; nil when that is the origin.
    package internal(set) var source: WorkerServer?
    /// Files written before each launch, by path; paths and contents may have placeholders.
    package internal(set) var files: [String: String]
    /// Environment variables for the worker; their values may have placeholders.
    package internal(set) var environment: [String: String]
    /// Where its programs are started, and relative paths are from; nil for where the run is.
    package internal(set) var workingDirectory: String?
    /// Programs that must be installed, besides those that its commands start.
    package internal(set) var needs: [String]
    /// The Debian package of each required program, if known.
    package internal(set) var packages: [String: String]
    /// What writes the completed video to `{output}`; empty when ``command`` does that too, from
    /// what it keeps in `{dir}`; nil when it completes the video in place.
    package internal(set) var export: [String]?
    /// The file that equals the video after the worker ended successfully; may have placeholders.
    package internal(set) var completed: String
    /// The loss bound per fault, by the authors or the program's constants; without, unjudged.
    package internal(set) var bound: [Fault: LossBound]
    /// The source of the bound, in one line; nil without a bound.
    package internal(set) var boundSource: String?
    /// True for a worker that writes a witness page: a life without one then proves nothing.
    package internal(set) var writesWitness: Bool
    /// The proxy that a player plays through; it prints its address, which may have a path, as one
    /// line, serves `ADDRESS/play?url=…`, and ends with exit code 143 on SIGTERM.
    package internal(set) var proxy: [String]?
    package internal(set) var library: Library?
    package internal(set) var inspection: WorkerInspection?
    /// Its own placeholders, with the arguments behind its commands when `--set` has a value.
    package internal(set) var settings: [String: [String]]
    /// The profile's own placeholders that may appear anywhere in it, with default values.
    package internal(set) var defaults: [String: String]
    /// Arguments for an origin that speaks TLS, whose authority's file is `{ca}`; nil for none.
    package internal(set) var trustArguments: [String]?
    /// The bounds over TLS where they differ: its records of 16 KB may be handed out in parts.
    package internal(set) var tlsBound: [Fault: LossBound]?
    /// The environment variables that change its behaviour, which a replay must set again.
    package internal(set) var variables: [String]
    package internal(set) var plantedBugs: PlantedBugs?
    /// True when the documented promises (B1 to B11, `bounds.yml`) are about this worker.
    package internal(set) var isDocumented: Bool
    /// True for a worker that promises to revalidate even a complete copy with the origin.
    package internal(set) var revalidates: Bool?
    package internal(set) var writable: [String]?
    /// How the work of a program that fetches nothing is judged; nil for a downloader.
    package internal(set) var check: ProgramCheck?

    package init(
        name: String, about: String = "", command: [String], server: WorkerServer? = nil,
        source: WorkerServer? = nil, files: [String: String] = [:],
        environment: [String: String] = [:], needs: [String] = [], packages: [String: String] = [:],
        export: [String]? = nil, completed: String = "{output}",
        bound: [Fault: LossBound] = [:], boundSource: String? = nil, writesWitness: Bool = false,
        proxy: [String]? = nil, library: Library? = nil, inspection: WorkerInspection? = nil,
        settings: [String: [String]] = [:], defaults: [String: String] = [:],
        variables: [String] = [], plantedBugs: PlantedBugs? = nil, isDocumented: Bool = false,
        revalidates: Bool? = nil, writable: [String]? = nil, workingDirectory: String? = nil,
        trustArguments: [String]? = nil, tlsBound: [Fault: LossBound]? = nil,
        check: ProgramCheck? = nil
    ) {
        (self.name, self.about, self.command, self.server) = (name, about, command, server)
        (self.source, self.files, self.environment) = (source, files, environment)
        (self.needs, self.packages, self.export) = (needs, packages, export)
        (self.completed, self.bound, self.boundSource) = (completed, bound, boundSource)
        (self.writesWitness, self.proxy, self.library) = (writesWitness, proxy, library)
        (self.inspection, self.settings, self.defaults) = (inspection, settings, defaults)
        (self.variables, self.plantedBugs) = (variables, plantedBugs)
        (self.isDocumented, self.revalidates, self.writable) = (isDocumented, revalidates, writable)
        (self.workingDirectory, self.trustArguments) = (workingDirectory, trustArguments)
        (self.tlsBound, self.check) = (tlsBound, check)
    }

    /// True for a worker that stores its completed video with its state: `{output}` is then inside
    /// `{dir}`, but for what the client of a server writes.
    package var completesInPlace: Bool { export == nil && server == nil }

    /// The start of its own by which the completed video is written; nil if there is none.
    package var exportStep: [String]? { exportsItself ? nil : export }

    /// True when ``command`` writes the completed video: that file does not show what was kept.
    package var exportsItself: Bool { export?.isEmpty == true }

    /// True for a worker without planted bugs: it must do its work unharmed for kills to count.
    package var isHeldToItsWork: Bool { plantedBugs == nil }

    /// The name of the reference worker, used when a run names none.
    package static let referenceName = "downloader"

    /// Arguments that lift a worker's limits; left out where the limits are tested (B11).
    package static let limitLifters: Set = ["--allow-small-threshold"]
}

/// A server that is killed with what it started, while a client asks it for the video.
package struct WorkerServer: Sendable, Hashable, Codable {
    package enum Readiness: Sendable, Hashable, Codable {
        /// It accepts connections on `{port}`.
        case port
        /// It answers a request for this address, which may have placeholders, with any status.
        case url(String)
    }

    /// Program and arguments that run it in the foreground; `{port}` is a free port for it.
    package let command: [String]
    package let ready: Readiness

    package init(command: [String], ready: Readiness = .port) {
        (self.command, self.ready) = (command, ready)
    }
}

/// The bugs that a worker can be started with, to test that the rig catches them.
package struct PlantedBugs: Sendable, Hashable, Codable {
    /// The program that has them, started in the place of the worker's own; nil if that has them.
    package let program: String?
    package let variable: String
    package let bugs: [PlantedBug]

    package init(program: String?, variable: String, bugs: [PlantedBug]) {
        (self.program, self.variable, self.bugs) = (program, variable, bugs)
    }
}

/// A bug that a worker has on request.
package struct PlantedBug: Sendable, Hashable, Codable {
    package let name: String
    /// Options of `rig kill-test` for a run in which the bug shows.
    package let options: [String]
    /// The checkers of which at least one must catch it.
    package let checkers: [Checker]
    package let iterations: Int

    package init(name: String, options: [String], checkers: [Checker], iterations: Int) {
        (self.name, self.options, self.checkers) = (name, options, checkers)
        self.iterations = iterations
    }
}

extension WorkerProfile {
    /// The worker with its program replaced by the one that has the planted bugs.
    package var withPlantedBugs: WorkerProfile {
        guard let program = plantedBugs?.program else { return self }
        let own = (server?.command ?? command).first
        return changingPrograms { $0 == own ? program : $0 }
    }

    /// The environment variables that plant one of its bugs.
    package func environment(planting bug: PlantedBug) -> [String: String] {
        plantedBugs.map { [$0.variable: bug.name] } ?? [:]
    }
}
