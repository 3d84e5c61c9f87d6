/// What `rig list` shows of a stored run.
package struct RunListing: Sendable, Hashable {
    /// The run folder, as it can be named in commands.
    package let folder: String
    /// The run's manifest.
    package let manifest: Manifest
    /// How many rows it has.
    package let rows: Int
    /// The exit code that `rig judge` would end with; nil where the rows cannot be judged.
    package let status: ExitStatus?
    /// Why the rows cannot be judged; nil where they can.
    package let reason: String?

    /// Creates an entry.
    package init(
        folder: String, manifest: Manifest, rows: Int, status: ExitStatus?, reason: String? = nil
    ) {
        self.folder = folder
        self.manifest = manifest
        self.rows = rows
        self.status = status
        self.reason = reason
    }
}
