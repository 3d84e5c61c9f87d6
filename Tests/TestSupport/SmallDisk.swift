internal import Foundation
internal import Glibc

/// A small file system of its own, which a test can fill; needs root.
///
/// It is unmounted with the object, also from below files that are still open.
package final class SmallDisk: Sendable {
    /// Which file system it is.
    package enum Kind: String, Sendable, CaseIterable {
        /// In memory.
        case tmpfs
        /// On an image in a file.
        case ext4
        /// The same, in blocks of less than 4 KB, as on most small disks.
        case ext4InSmallBlocks
    }

    package struct Failure: Error {
        let text: String
    }

    /// Where it is mounted.
    package let path: String
    private let folder: String

    /// True if this process may mount one.
    package static var isPossible: Bool { geteuid() == 0 }

    /// Mounts a new file system.
    package init(_ kind: Kind, megabytes: Int) throws {
        let place = FileManager.default.temporaryDirectory
            .appendingPathComponent("SmallDisk-\(UUID().uuidString)")
        folder = place.path
        path = place.appendingPathComponent("mount").path
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        switch kind {
        case .tmpfs:
            try Self.run("mount", ["-t", "tmpfs", "-o", "size=\(megabytes)m", "tmpfs", path])
        case .ext4, .ext4InSmallBlocks:
            let image = place.appendingPathComponent("image").path
            try Self.run("truncate", ["-s", "\(megabytes)M", image])
            // Without blocks that only root may use, because the tests are root.
            let block = kind == .ext4 ? "4096" : "1024"
            try Self.run("mkfs.ext4", ["-q", "-m", "0", "-b", block, image])
            try Self.run("mount", ["-o", "loop", image, path])
        }
    }

    deinit {
        try? Self.run("umount", ["-l", path])
        try? FileManager.default.removeItem(atPath: folder)
    }

    /// Writes a file until there is no room left.
    package func fill() throws {
        let file = open("\(path)/filler", O_WRONLY | O_CREAT | O_APPEND, 0o600)
        guard file >= 0 else { throw Failure(text: "no filler: \(errno)") }
        defer { close(file) }
        // Smaller and smaller, down to the last block.
        for size in [1 << 20, 4096, 1] {
            let bytes = [UInt8](repeating: 0, count: size)
            while write(file, bytes, size) > 0 {}
            guard errno == ENOSPC else { throw Failure(text: "not filled: \(errno)") }
        }
        // Only what is on the disk takes room for good.
        fsync(file)
    }

    /// Makes files, in the folder `files`, until the disk has no inode left for another one.
    package func fillWithFiles() throws {
        try FileManager.default.createDirectory(
            atPath: "\(path)/files", withIntermediateDirectories: false)
        var number = 0
        while case let file = open("\(path)/files/\(number)", O_WRONLY | O_CREAT, 0o600), file >= 0
        {
            close(file)
            number += 1
        }
        guard errno == ENOSPC else { throw Failure(text: "not filled: \(errno)") }
    }

    /// Removes what ``fill()`` has written, and waits until its room is free.
    package func makeRoom() throws {
        var facts = stat()
        guard stat("\(path)/filler", &facts) == 0 else {
            throw Failure(text: "no filler: \(errno)")
        }
        try FileManager.default.removeItem(atPath: "\(path)/filler")
        try blockUntil("there is room") { freeBytes > Int64(facts.st_size) / 2 }
    }

    /// How many bytes are free.
    package var freeBytes: Int64 {
        var facts = statvfs()
        return statvfs(path, &facts) == 0 ? Int64(facts.f_bavail) * Int64(facts.f_frsize) : 0
    }

    /// Mounts it again, to be read only or to be written.
    ///
    /// The system refuses that while a file is open to be written, and a program that another test
    /// is starting has this process's files until its first instruction.
    package func remount(_ options: String) throws {
        var refusal: (any Error)?
        do {
            try blockUntil("it is mounted anew") {
                do {
                    try Self.run("mount", ["-o", "remount,\(options)", path])
                    return true
                } catch {
                    refusal = error
                    return false
                }
            }
        } catch { throw refusal ?? error }
    }

    private static func run(_ program: String, _ arguments: [String]) throws {
        let (status, words) = try Tool.run([program] + arguments)
        guard status == 0 else {
            throw Failure(text: "\(program) \(arguments): \(status), \(words)")
        }
    }
}
