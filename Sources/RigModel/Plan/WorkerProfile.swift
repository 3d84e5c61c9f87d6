/// How a worker is started and what is known of it: a value, the same for every program.
package struct WorkerProfile: Sendable, Hashable, Codable {
    /// How the rig reads the state that a kill left behind, with its own SQL on a copy.
    package struct Inspection: Sendable, Hashable, Codable {
        /// The SQLite database's file, relative to the state folder.
        package let database: String
        /// Gives one row per chunk: `offset`, `bytes` and `checksum` (XXH3-64, signed); `:url`
        /// is the video's URL.
        package let chunks: String
        /// Gives one row per range that the worker claims to hold: `offset`, `length`.
        package let ranges: String

        /// Where and with which queries to look.
        package init(database: String, chunks: String, ranges: String) {
            self.database = database
            self.chunks = chunks
            self.ranges = ranges
        }
    }

    /// The worker's word in reports.
    package let name: String
    /// Program and arguments that download the video, with placeholders `{url}`, `{dir}`,
    /// `{output}`, `{threshold}`, `{durability}`.
    package let command: [String]
    /// Program and arguments that write the completed video to `{output}`; nil when `command`
    /// does so itself.
    package let export: [String]?
    /// How to read its state; nil when it is a black box.
    package let inspection: Inspection?

    /// A worker's profile.
    package init(name: String, command: [String], export: [String]?, inspection: Inspection?) {
        self.name = name
        self.command = command
        self.export = export
        self.inspection = inspection
    }

    /// The reference worker, whose program lies at `executable`.
    package static func downloader(executable: String) -> WorkerProfile {
        WorkerProfile(
            name: "downloader",
            command: [
                executable, "fetch", "--url", "{url}", "--cache", "{dir}",
                "--threshold", "{threshold}", "--durability", "{durability}",
                "--allow-small-threshold",
            ],
            export: [
                executable, "export", "--cache", "{dir}", "--url", "{url}", "--output", "{output}",
            ],
            inspection: Inspection(
                database: "cache.sqlite",
                chunks: """
                    SELECT chunk.offset, chunk.bytes, chunk.checksum FROM chunk
                    JOIN video ON video.id = chunk.video_id
                    WHERE video.url = :url ORDER BY chunk.offset
                    """,
                ranges: """
                    SELECT cached_range.offset, cached_range.length FROM cached_range
                    JOIN video ON video.id = cached_range.video_id WHERE video.url = :url
                    """))
    }
}
