internal import Foundation
internal import Glibc
internal import RigLab

/// A file that the user names; a device or a pipe is written into, any other is replaced.
package struct NamedFile {
    package enum Kind { case absent, plain, folder, special, standardOutput }

    /// Behind all symbolic links.
    package let path: String
    package let kind: Kind

    private static let mostLinks = 40

    package init(_ named: String) {
        guard named != "-" else {
            (path, kind) = ("standard output", .standardOutput)
            return
        }
        let files = FileManager.default
        var place = named
        for _ in 0..<Self.mostLinks {
            guard let target = try? files.destinationOfSymbolicLink(atPath: place) else { break }
            let folder = place.parentFolder
            place = target.hasPrefix("/") || folder.isEmpty ? target : "\(folder)/\(target)"
        }
        var facts = stat()
        guard stat(named, &facts) == 0 else {
            (path, kind) = (place, .absent)
            return
        }
        switch facts.st_mode & S_IFMT {
        case S_IFREG: (path, kind) = (place, .plain)
        case S_IFDIR: (path, kind) = (place, .folder)
        // A link of /proc leads to no path.
        default: (path, kind) = (named, .special)
        }
    }

    /// Writes a text, or throws the system's error, also if a pipe's reader has gone away.
    package func write(_ text: String) throws {
        let handle: FileHandle
        switch kind {
        case .absent, .plain, .folder:
            return try text.write(toFile: path, atomically: true, encoding: .utf8)
        case .special: handle = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
        case .standardOutput: handle = .standardOutput
        }
        let former = signal(SIGPIPE, SIG_IGN)
        defer { signal(SIGPIPE, former) }
        try handle.write(contentsOf: Data(text.utf8))
        if kind == .special { try handle.close() }
    }
}
