internal import Foundation

/// Where an export writes, in the order of the video.
protocol ExportTarget: AnyObject {
    /// Writes bytes; a stream drops what follows a gap.
    func write(_ bytes: UnsafeRawBufferPointer, at offset: Int64) throws

    /// Makes what was written what the place names.
    func publish() throws(CacheError)

    /// Removes what was written, unless it was published.
    func abandon()
}

/// A file under construction; it gets its final name when it is published.
final class ExportFile: ExportTarget {
    private let path: String
    private let name: String
    private let temporaryName: String
    private let file: OpenFile
    private let folder: OpenFile
    private var isPublished = false

    init(path: String) throws(CacheError) {
        self.path = path
        let parts = OutputPlace.parts(of: path)
        name = parts.name
        #if os(Linux)
            // O_PATH, for a folder that may be written to, but not read.
            let opened = open(parts.folder, 0o10_000_000 | O_DIRECTORY | O_CLOEXEC)
        #else
            let opened = open(parts.folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        #endif
        guard opened >= 0 else { throw OutputPlace.refusal(path, errno) }
        folder = OpenFile(path: parts.folder, descriptor: opened)
        let limit = fpathconf(opened, Int32(_PC_NAME_MAX))
        let most = limit > 0 ? limit : 255
        guard name.utf8.count <= most else { throw OutputPlace.refusal(path, ENAMETOOLONG) }
        temporaryName = Self.temporaryName(for: name, most: most)
        let created = openat(opened, temporaryName, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o666)
        guard created >= 0 else { throw OutputPlace.refusal(path, errno) }
        file = OpenFile(path: path, descriptor: created)
    }

    /// A name beside the file's own, which is cut where both together would be too long.
    private static func temporaryName(for name: String, most: Int) -> String {
        let suffix = ".\(getpid()).partial"
        var stem = name
        while stem.utf8.count + suffix.utf8.count > most, !stem.isEmpty { stem.removeLast() }
        return stem + suffix
    }

    func write(_ bytes: UnsafeRawBufferPointer, at offset: Int64) throws {
        try file.write(bytes, at: offset)
    }

    func publish() throws(CacheError) {
        guard renameat(folder.descriptor, temporaryName, folder.descriptor, name) == 0 else {
            throw OutputPlace.refusal(path, errno)
        }
        isPublished = true
    }

    func abandon() { if !isPublished { unlinkat(folder.descriptor, temporaryName, 0) } }
}
