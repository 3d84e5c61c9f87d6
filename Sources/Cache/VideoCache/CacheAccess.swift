/// How a cache, or a library, is opened.
public enum CacheAccess: Sendable, Hashable {
    /// Reads and writes; creates the folder and the database if they do not exist.
    case readWrite
    /// Reads and writes a database that must exist.
    case existing
    /// Reads a database that must exist, and changes nothing.
    case readOnly
}
