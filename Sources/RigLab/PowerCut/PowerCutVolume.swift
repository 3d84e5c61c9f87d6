internal import RigModel
internal import Synchronization

/// A file system of its own for the workers' state, whose power can be cut.
///
/// An ext4 file system in an image file of the run's scratch folder, mounted through a loop device.
/// A cut is the kernel's own `EXT4_IOC_SHUTDOWN` without a last flush of the journal: from then on
/// nothing is written, whoever asks, and the next mount finds what a power cut would have left. One
/// image serves a whole run.
///
/// Linux only, for root only; ``check()`` says so before anything is started.
package final class PowerCutVolume: Sendable {
    /// The folder's path within a run's scratch folder.
    static let folderName = "volume"

    /// Where it is mounted.
    let folder: String
    /// The folder on it for the worker's state.
    var state: String { "\(folder)/state" }

    private let scratch: String
    private let image: PowerCutImage?
    private let bytes: Int64
    /// Nil before it is made, and after it is torn down.
    private let parts = Mutex<Parts?>(nil)

    /// A volume that is made when it is prepared.
    ///
    /// - Parameters:
    ///   - scratch: a folder of the run's own.
    ///   - run: the run's name, by which its guardian and later runs find what it leaves.
    ///   - videoBytes: how much a worker has to keep.
    package convenience init(in scratch: String, run: String, videoBytes: Int64) {
        self.init(
            in: scratch, image: ProcessIdentity.own.map { PowerCutImage(run: run, owner: $0) },
            videoBytes: videoBytes)
    }

    init(in scratch: String, image: PowerCutImage?, videoBytes: Int64) {
        self.scratch = scratch
        self.image = image
        folder = "\(scratch)/\(Self.folderName)"
        bytes = Self.imageBytes(videoBytes)
    }

    /// Makes the image and mounts it; does nothing when that is done.
    ///
    /// - Throws: ``RigError`` with exit code 77 without permission, 70 when it cannot be made for
    ///   another reason.
    func prepare() async throws {
        guard parts.withLock({ $0 == nil }) else { return }
        try Self.check()
        guard let image else {
            throw RigError(
                .failure, "the rig cannot read /proc/self; mount /proc for a power cut")
        }
        let made = try await Parts.make(in: scratch, image: image, bytes: bytes)
        parts.withLock { $0 = made }
    }

    /// The database, its log with everything once more, and room for a journal and for what is
    /// rewritten; the image is sparse, so that only what is used takes space.
    static func imageBytes(_ videoBytes: Int64) -> Int64 {
        let (bytes, overflow) = videoBytes.multipliedReportingOverflow(by: 3)
        return overflow ? .max : bytes.addingReportingOverflow(64 << 20).partialValue
    }

    /// Empties the volume, but for an empty folder ``state``, and makes that durable.
    func wipe() throws { try mounted { try $0.wipe(folder) } }

    /// Cuts the power: nothing that is not on the device by now will ever be.
    ///
    /// Whoever has files open there gets errors from then on, and should be killed.
    func cut() throws { try mounted { try $0.cut(folder) } }

    /// Mounts what the cut has left, as a machine does that is started again.
    ///
    /// - Throws: ``RigError`` with exit code 70 when somebody still has a file open there.
    func remount() throws { try mounted { try $0.remount(folder) } }

    /// Without a volume a run would go on and prove nothing.
    private func mounted(_ work: (Parts) throws -> Void) throws {
        try parts.withLock { parts in
            guard let parts else {
                throw RigError(.failure, "the volume \(folder) is not mounted; run it again")
            }
            try work(parts)
        }
    }

    /// Unmounts, detaches and removes everything; a second call does nothing.
    ///
    /// - Throws: ``RigError`` with exit code 70 when somebody still has a file open there.
    package func tearDown() throws {
        try parts.withLock { parts in
            try parts?.tearDown(folder)
            parts = nil
        }
    }
}
