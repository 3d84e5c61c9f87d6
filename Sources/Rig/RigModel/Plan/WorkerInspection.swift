/// How the rig reads the state that a kill left, by its own code on a copy, before any relaunch.
package enum WorkerInspection: Sendable, Hashable, Codable {
    /// The video's chunks are stored in a SQLite database, or in files beside it.
    case database(WorkerProfile.Inspection)
    /// The video is stored in one file, from its first byte on.
    case file(PartialFile)

    package var database: WorkerProfile.Inspection? {
        if case .database(let database) = self { database } else { nil }
    }
}

/// A file that holds the part of the video received so far, from its first byte on.
package struct PartialFile: Sendable, Hashable, Codable {
    /// Where to find how many of the file's bytes belong to the video.
    package enum Length: Sendable, Hashable, Codable {
        case size
        /// A file that holds the number, in decimal digits; its path may have placeholders.
        case file(String)
        /// A SQLite database, at a path that may have placeholders, and a query for the number.
        case query(database: String, sql: String)
    }

    package let path: String
    package let length: Length

    package init(path: String, length: Length = .size) { (self.path, self.length) = (path, length) }
}

extension WorkerProfile {
    package struct Inspection: Sendable, Hashable, Codable {
        package let database: String
        /// One row per chunk: `offset`, `bytes` and, if there is one, `checksum` (XXH3-64, signed);
        /// `:url` is the video's URL.
        package let chunks: String
        /// A query for the ranges that it claims to hold: `offset`, `length`; nil for its chunks.
        package let ranges: String?
        /// The layout with bytes in files, for when ``chunks`` names a column that the tables lack.
        package let files: FileLayout?

        package init(
            database: String, chunks: String, ranges: String? = nil, files: FileLayout? = nil
        ) {
            (self.database, self.chunks, self.ranges) = (database, chunks, ranges)
            self.files = files
        }
    }

    /// How to read a layout in which a chunk's bytes are stored in a file at the chunk's offset.
    package struct FileLayout: Sendable, Hashable, Codable {
        /// One row per chunk: `offset`, `length`, `checksum`, `file` below ``folder``.
        package let chunks: String
        package let folder: String

        package init(chunks: String, folder: String) {
            (self.chunks, self.folder) = (chunks, folder)
        }
    }

    /// The levels that the profile states; the origin sees no requests to another source.
    package var levels: [WorkerListing.Level] {
        (source == nil ? [.blackBox] : []) + (inspection == nil ? [] : [.inspect])
            + (writesWitness ? [.witness] : [])
    }
}

/// A worker profile as listed: what it is, what it offers, and whether it can run on this machine.
package struct WorkerListing: Sendable, Hashable {
    /// How much of a worker the rig can observe (spec 2); each level adds evidence.
    package enum Level: String, Sendable, Hashable, CaseIterable {
        /// The origin's ledger, the kernel's queues and the completed file, of every program.
        case blackBox = "black box"
        case inspect
        case witness
    }

    package let worker: WorkerProfile
    package let missing: [String]

    package init(_ worker: WorkerProfile, missing: [String]) {
        (self.worker, self.missing) = (worker, missing)
    }
}
