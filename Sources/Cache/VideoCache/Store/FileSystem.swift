internal import Foundation

/// What the store asks of the system; a test answers in its place.
package struct FileSystem: Sendable {
    /// Identifies this boot of the machine; nil if that is unknown.
    var boot: @Sendable () -> [UInt8]?
    /// Identifies a file, also after a reboot; nil if that is unknown.
    var identity: @Sendable (OpenFile) -> [UInt8]?
    /// Identifies a file on one mount of its file system; nil if that is unknown.
    var mounted: @Sendable (OpenFile) -> [UInt8]?
    /// Is told the path of a file or folder before it is synced; an error number fails the sync.
    var willSync: @Sendable (String) -> Int32 = { _ in 0 }

    // What a file system answers that cannot sync; a disk that fails answers EIO.
    private static let unsupported = [EINVAL, EROFS, ENOTSUP]

    package static let ofThisMachine = Self(
        boot: { MachineBoot.identity() }, identity: { $0.identity() }, mounted: { $0.mounted() })

    package func sync(_ path: String) throws(CacheError) { try sync(OpenFile(path, O_RDONLY)) }

    package func sync(_ file: OpenFile) throws(CacheError) {
        try wait(for: file) { fsync($0.descriptor) }
    }

    /// Waits until a file's bytes are on disk, and its size if it has grown.
    func syncData(_ file: OpenFile) throws(CacheError) { try wait(for: file) { $0.syncData() } }

    /// Waits until a folder's entries are on disk, if its file system can; SQLite does without, too.
    func syncFolder(_ path: String) throws(CacheError) {
        let folder = try OpenFile(path, O_RDONLY)
        try wait(for: folder, unless: Self.unsupported) { fsync($0.descriptor) }
    }

    private func wait(
        for file: OpenFile, unless harmless: [Int32] = [], sync: (OpenFile) -> Int32
    ) throws(CacheError) {
        let refusal = willSync(file.path)
        let code = refusal != 0 ? refusal : sync(file) == 0 ? 0 : errno
        guard code == 0 || harmless.contains(code) else { throw file.failure(code) }
    }
}
