/// Where a cache keeps the bytes of its chunks; chosen when the cache is created.
public enum StorageLayout: String, Sendable, Hashable, CaseIterable {
    /// In the rows of the database: one file, and every byte is written twice.
    case rows
    /// In a sparse file per video, `data/<video's number>` in the cache's folder, at the positions
    /// that they have in the video; the database is the index. Every byte is written once.
    case file

    /// What a new cache gets when nothing is asked for: with durability `process` saving every
    /// 512 KB is as fast as writing the file (`harness/bench ingest`).
    static let standard = Self.file
}
