/// How the rig reads the state that a kill left behind: the second level of the worker contract.
///
/// It reads a copy, with its own code, before anything is relaunched.
package enum WorkerInspection: Sendable, Hashable, Codable {
    /// Chunks of the video lie in a SQLite database, or in files beside it.
    case database(WorkerProfile.Inspection)
    /// The video lies in one file, from its first byte on.
    case file(PartialFile)

    /// How to read a database; nil for a file.
    package var database: WorkerProfile.Inspection? {
        if case .database(let database) = self { database } else { nil }
    }
}

/// A file that holds the video from its first byte on, as far as it has come.
package struct PartialFile: Sendable, Hashable, Codable {
    /// Where it is said how many of the file's bytes are the video's.
    package enum Length: Sendable, Hashable, Codable {
        /// The file's own length.
        case size
        /// A file that holds the number, in decimal digits; its path may have placeholders.
        case file(String)
        /// A SQLite database, whose path may have placeholders, and a query for the number.
        case query(database: String, sql: String)
    }

    /// The file's path, with placeholders.
    package let path: String
    /// Where its length is said.
    package let length: Length

    /// Where to look.
    package init(path: String, length: Length = .size) {
        self.path = path
        self.length = length
    }
}

extension WorkerProfile {
    /// How the rig reads the state that a kill left behind, with its own SQL on a copy.
    package struct Inspection: Sendable, Hashable, Codable {
        /// The SQLite database's file, relative to the state folder.
        package let database: String
        /// Gives one row per chunk: `offset`, `bytes` and, where the worker keeps one, `checksum`
        /// (XXH3-64, signed); `:url` is the video's URL.
        package let chunks: String
        /// Gives one row per range that the worker claims to hold: `offset`, `length`; nil for a
        /// worker that claims no more than its chunks say.
        package let ranges: String?
        /// The layout with the bytes in files; nil for a worker that has none.
        ///
        /// It is the one that is there when ``chunks`` names a column which the tables lack.
        package let files: FileLayout?

        /// Where and with which queries to look.
        package init(
            database: String, chunks: String, ranges: String? = nil, files: FileLayout? = nil
        ) {
            self.database = database
            self.chunks = chunks
            self.ranges = ranges
            self.files = files
        }
    }

    /// How to read a layout in which a chunk's bytes lie in a file at the chunk's offset.
    package struct FileLayout: Sendable, Hashable, Codable {
        /// Gives one row per chunk: `offset`, `length`, `checksum` and `file`, the name of the file
        /// relative to ``folder``; `:url` is the video's URL.
        package let chunks: String
        /// The files' folder, relative to the state folder.
        package let folder: String

        /// Where and with which query to look.
        package init(chunks: String, folder: String) {
            self.chunks = chunks
            self.folder = folder
        }
    }
}
