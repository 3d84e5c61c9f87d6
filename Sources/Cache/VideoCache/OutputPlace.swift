internal import Foundation

/// What a path names that a video is written to.
package enum OutputPlace: Hashable, Sendable {
    case standardOutput
    /// A device, a FIFO, a socket, or an open file by its descriptor: it is written into, and never
    /// replaced.
    case stream(path: String)
    /// A plain file, or none yet, after all symbolic links: it is replaced, and a link to it stays.
    case file(path: String)

    private static let mostLinks = 40

    /// Finds out what a path names now; throws for a folder, or a path that leads nowhere.
    package static func of(_ path: String) throws(CacheError) -> OutputPlace {
        let target = followed(path)
        guard let facts = FileFacts(path) else {
            // What a link names does not have to exist.
            guard errno == ENOENT, !path.hasSuffix("/") else { throw refusal(path, errno) }
            return .file(path: target)
        }
        switch facts.kind {
        case S_IFDIR: throw refusal(path, EISDIR)
        case _ where descriptor(target) != nil: return .stream(path: target)
        case S_IFREG:
            // One of another process, in /proc, may name a file that has no name any more.
            return FileFacts(target)?.isSame(as: facts) == true
                ? .file(path: target) : .stream(path: path)
        default: return .stream(path: path)
        }
    }

    /// The descriptor of this process that a path names; nil if it names none.
    static func descriptor(_ path: String) -> Int32? {
        for folder in ["/dev/fd/", "/proc/self/fd/"] where path.hasPrefix(folder) {
            return Int32(path.dropFirst(folder.count))
        }
        return nil
    }

    static func refusal(_ path: String, _ code: Int32) -> CacheError {
        .cannotCreate(path: path, reason: String(cString: strerror(code)))
    }

    /// The path behind all symbolic links at the end of a path, up to the name of a descriptor.
    private static func followed(_ path: String) -> String {
        var path = path
        for _ in 0..<mostLinks where descriptor(path) == nil {
            var buffer = [CChar](repeating: 0, count: Int(PATH_MAX) + 1)
            let count = readlink(path, &buffer, buffer.count - 1)
            guard count > 0 else { break }
            let link = String(
                decoding: buffer.prefix(count).map(UInt8.init(bitPattern:)), as: UTF8.self)
            path = link.hasPrefix("/") ? link : "\(parts(of: path).folder)/\(link)"
        }
        return path
    }

    static func parts(of path: String) -> (folder: String, name: String) {
        guard let slash = path.lastIndex(of: "/") else { return (".", path) }
        let name = String(path[path.index(after: slash)...])
        return (slash == path.startIndex ? "/" : String(path[..<slash]), name)
    }
}
