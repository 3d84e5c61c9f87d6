package struct RunListing: Sendable, Hashable {
    /// The run folder, as it can be named in commands.
    package let folder: String
    /// The run's manifest; nil where it cannot be read.
    package let manifest: Manifest?
    package let rows: Int
    /// The exit code with which `rig judge` would end; nil where the run is not judged.
    package let status: ExitStatus?
    /// Why the run is not judged; nil where it is.
    package let reason: String?
    package let isRunning: Bool

    package init(
        folder: String, manifest: Manifest?, rows: Int, status: ExitStatus?, reason: String? = nil,
        isRunning: Bool = false
    ) {
        (self.folder, self.manifest, self.rows, self.status) = (folder, manifest, rows, status)
        (self.reason, self.isRunning) = (reason, isRunning)
    }

    /// True for a part of a run: only the whole run is judged.
    package var isPart: Bool { manifest?.partition != nil }
}
