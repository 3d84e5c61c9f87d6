/// What of a file was not synced at a kill.
package struct UnsyncedFileFacts: Sendable, Hashable, Codable {
    /// Its path then; a folder's for names alone.
    package let path: String
    package let operations: Int
    package let bytes: Int64

    package init(path: String, operations: Int, bytes: Int64) {
        (self.path, self.operations, self.bytes) = (path, operations, bytes)
    }
}
