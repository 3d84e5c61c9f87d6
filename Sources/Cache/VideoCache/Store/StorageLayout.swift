/// Where a cache keeps the bytes of its chunks; chosen when the cache is created.
public enum StorageLayout: String, Sendable, Hashable, CaseIterable {
    /// In the rows of the database: one file, and every byte is written twice.
    case rows
    /// In a sparse file per video, with an index in the database: every byte is written once.
    ///
    /// The file is `data/<video's number>` in the cache's folder, and the bytes are at the
    /// positions that they have in the video.
    case file

    /// The layout of a new cache when none is given.
    ///
    /// With durability `process` saving every 512 KB is nearly as fast as `curl -o`
    /// (`harness/bench ingest`).
    static let standard = Self.file
}
