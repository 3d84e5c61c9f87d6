internal import RigModel

/// A separate file system for the workers' state, whose power can be cut.
///
/// It is an ext4 file system in an image file of the run's scratch folder, mounted through a loop
/// device. A cut is the kernel's own `EXT4_IOC_SHUTDOWN` without a last flush of the journal: from
/// then on no process can write, and the next mount finds what a power cut would have left. One
/// image serves all iterations of a job.
///
/// It needs Linux and root; ``check()`` verifies that before anything is started.
package final class PowerCutVolume: Sendable {
    /// The folder's path within a run's scratch folder.
    static let folderName = "volume"
    /// The prefix of the names of jobs' own folders, in a run's scratch folder.
    package static let jobPrefix = "job-"

    /// Where it is mounted.
    package let folder: String
    /// The folder on it for the worker's state.
    package var state: String { "\(folder)/state" }

    private let parts: Parts

    /// Creates an image, and mounts it.
    ///
    /// - Parameters:
    ///   - scratch: a folder of the run's own.
    ///   - run: the run's name, by which its guardian and later runs find what is left of it.
    ///   - videoBytes: how much a worker has to keep.
    /// - Returns: the volume, until it is torn down.
    /// - Throws: ``RigError`` with exit code 77 without permission, 70 when it cannot be created
    ///   for another reason.
    package static func make(
        in scratch: String, run: String, videoBytes: Int64
    ) async throws -> PowerCutVolume {
        try check()
        guard let owner = ProcessIdentity.own else {
            throw RigError(
                .failure, "the rig cannot read /proc/self; mount /proc for a power cut")
        }
        let image = PowerCutImage(run: run, owner: owner)
        return try await make(in: scratch, image: image, videoBytes: videoBytes)
    }

    static func make(
        in scratch: String, image: PowerCutImage, videoBytes: Int64
    ) async throws -> PowerCutVolume {
        try await PowerCutVolume(
            folder: "\(scratch)/\(folderName)",
            parts: Parts.make(in: scratch, image: image, bytes: imageBytes(videoBytes)))
    }

    private init(folder: String, parts: Parts) {
        self.folder = folder
        self.parts = parts
    }

    /// The image's size: the database, a WAL with everything once more, a journal, and rewrites;
    /// and what some stores reserve before they need it (etcd: twice 64 MB for its log).
    ///
    /// The image is sparse, so only what is used takes space.
    static func imageBytes(_ videoBytes: Int64) -> Int64 {
        let (bytes, overflow) = videoBytes.multipliedReportingOverflow(by: 3)
        return overflow ? .max : bytes.addingReportingOverflow(256 << 20).partialValue
    }

    /// Empties the volume, except for an empty folder ``state``, and makes that durable.
    package func wipe() throws { try parts.wipe(folder) }

    /// Cuts the power: what is not on the device by now never will be.
    ///
    /// Processes that have files open there get errors from then on, and should be killed.
    package func cut() throws { try parts.cut(folder) }

    /// Mounts what the cut has left, as a restarted machine does.
    ///
    /// - Throws: ``RigError`` with exit code 70 when a process still has a file open there.
    package func remount() throws { try parts.remount(folder) }

    /// Unmounts, detaches and removes everything; a second call does nothing.
    ///
    /// - Throws: ``RigError`` with exit code 70 when a process still has a file open there.
    package func tearDown() throws { try parts.tearDown(folder) }
}
