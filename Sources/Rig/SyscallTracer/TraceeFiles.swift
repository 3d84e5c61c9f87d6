internal import CPtrace
internal import Glibc

/// Reads a stopped program's memory, descriptors and paths.
enum Tracee {
    static func status(ofDescriptor descriptor: Int32, in thread: pid_t) -> rig_file? {
        status("/proc/\(thread)/fd/\(descriptor)")
    }

    /// The status of what a path leads to; nil when nothing is there.
    static func status(_ path: String, following: Bool = true) -> rig_file? {
        var file = rig_file()
        return rig_stat(path, following ? 1 : 0, &file) == 0 ? file : nil
    }

    /// The path of a descriptor's file, without the kernel's suffix for removed files.
    static func path(ofDescriptor descriptor: Int32, in thread: pid_t) -> String? {
        guard var path = link("/proc/\(thread)/fd/\(descriptor)") else { return nil }
        if path.hasSuffix(" (deleted)") { path.removeLast(10) }
        return path
    }

    static func link(_ path: String) -> String? {
        withUnsafeTemporaryAllocation(byteCount: Int(PATH_MAX), alignment: 1) { buffer in
            guard let base = buffer.baseAddress else { return nil }
            let count = readlink(path, base.assumingMemoryBound(to: CChar.self), buffer.count)
            guard count >= 0 else { return nil }
            return String(decoding: buffer.prefix(count), as: UTF8.self)
        }
    }

    /// The path without symbolic links; nil when nothing is there.
    static func real(_ path: String) -> String? {
        guard let real = realpath(path, nil) else { return nil }
        defer { free(real) }
        return String(cString: real)
    }

    /// A path as the thread sees it: absolute, no links in its folder; nil if that does not exist.
    static func resolve(
        _ text: String, from directory: Int32, in thread: pid_t, following: Bool
    ) -> String? {
        guard let absolute = absolute(text, from: directory, in: thread) else { return nil }
        var parts = absolute.split(separator: "/")
        guard let last = parts.popLast() else { return "/" }
        if last == "." || last == ".." { return real(absolute) }
        let parent = "/" + parts.joined(separator: "/")
        guard let folder = real(parent) else { return nil }
        let path = folder == "/" ? "/\(last)" : "\(folder)/\(last)"
        guard following, let file = status(path, following: false), file.mode & S_IFMT == S_IFLNK
        else { return path }
        return real(path) ?? path
    }

    private static func absolute(_ text: String, from directory: Int32, in thread: pid_t) -> String?
    {
        for own in ["/proc/self/", "/proc/thread-self/"] where text.hasPrefix(own) {
            return "/proc/\(thread)/" + text.dropFirst(own.count)
        }
        if text.hasPrefix("/") { return text }
        guard !text.isEmpty else { return nil }
        let base =
            directory == AT_FDCWD
            ? link("/proc/\(thread)/cwd") : path(ofDescriptor: directory, in: thread)
        return base.map { "\($0)/\(text)" }
    }

    static func bytes(at address: UInt64, count: Int, in thread: pid_t) -> [UInt8] {
        WholeBytes.read(count) { rig_read_memory(thread, address + UInt64($1), $0, count - $1) }
    }

    static func number(at address: UInt64, in thread: pid_t) -> UInt64? {
        words(at: address, count: 1, in: thread).first
    }

    /// Words of 8 bytes, as many of them as can be read.
    static func words(at address: UInt64, count: Int, in thread: pid_t) -> [UInt64] {
        bytes(at: address, count: 8 * count, in: thread).withUnsafeBytes { bytes in
            stride(from: 0, to: bytes.count - 7, by: 8).map {
                bytes.loadUnaligned(fromByteOffset: $0, as: UInt64.self)
            }
        }
    }

    static func text(at address: UInt64, in thread: pid_t) -> String? {
        var text: [UInt8] = []
        while text.count < Int(PATH_MAX) {
            // Page by page: the page after the text may not be mapped.
            let here = address + UInt64(text.count)
            let rest = 4096 - Int(here % 4096)
            let part = bytes(at: here, count: min(rest, 256), in: thread)
            guard !part.isEmpty else { return nil }
            if let end = part.firstIndex(of: 0) {
                return String(decoding: text + part[..<end], as: UTF8.self)
            }
            text += part
        }
        return nil
    }

    static func vector(
        at address: UInt64, count: Int, in thread: pid_t
    ) -> [(address: UInt64, count: Int)] {
        let words = words(at: address, count: 2 * min(max(0, count), 1024), in: thread)
        return stride(from: 0, to: words.count - 1, by: 2).map { (words[$0], Int(words[$0 + 1])) }
    }

    static func position(
        ofDescriptor descriptor: Int32, in thread: pid_t
    ) -> (offset: Int64, flags: Int32)? {
        let text = file("/proc/\(thread)/fdinfo/\(descriptor)", atMost: 256)
        let fields = text.split(whereSeparator: \.isWhitespace)
        guard fields.count >= 4, fields[0] == "pos:", fields[2] == "flags:",
            let offset = Int64(fields[1]), let flags = Int32(fields[3], radix: 8)
        else { return nil }
        return (offset, flags)
    }

    /// The beginning of a file that the kernel provides; empty where it does not.
    static func file(_ path: String, atMost count: Int) -> String {
        String(decoding: FolderScan.bytes(of: path, count: count), as: UTF8.self)
    }
}

/// A part of a file in a program's memory, as a line of `/proc/PID/maps` tells.
struct MemoryPart {
    let addresses: Range<UInt64>
    /// Such as `rw-s`.
    let rights: Substring
    let offset: UInt64
    let inode: UInt64?
    let path: String

    static func all(of thread: Int32) -> [MemoryPart] {
        Tracee.file("/proc/\(thread)/maps", atMost: 1 << 24).split(separator: "\n")
            .compactMap { MemoryPart($0) }
    }

    private init?(_ line: Substring) {
        let fields = line.split(separator: " ", maxSplits: 5)
        guard fields.count == 6, let offset = UInt64(fields[2], radix: 16) else { return nil }
        let ends = fields[0].split(separator: "-").compactMap { UInt64($0, radix: 16) }
        let path = fields[5].drop { $0 == " " }
        guard ends.count == 2, ends[0] < ends[1], path.hasPrefix("/") else { return nil }
        (addresses, rights, self.offset) = (ends[0]..<ends[1], fields[1], offset)
        (inode, self.path) = (UInt64(fields[4]), String(path))
    }

    /// True for the beginning of what is named like an interpreter of Python, or its library.
    var isPython: Bool {
        let name = path.split(separator: "/").last ?? ""
        return offset == 0 && (name.hasPrefix("python") || name.hasPrefix("libpython"))
    }
}

/// Bytes by calls that read or write a part of them at a time.
enum WholeBytes {
    /// As many bytes as a call reads, to an address, after so many that are there.
    static func read(_ count: Int, by call: (UnsafeMutablePointer<UInt8>?, Int) -> Int) -> [UInt8] {
        guard count > 0 else { return [] }
        return [UInt8](unsafeUninitializedCapacity: count) { buffer, done in
            var found = 0
            while found < count {
                let part = call(buffer.baseAddress.map { $0 + found }, found)
                guard part > 0 else { break }
                found += part
            }
            done = found
        }
    }

    /// False if a call, which takes those after so many, does not write all of them.
    static func write(_ bytes: [UInt8], by call: (UnsafeRawBufferPointer, Int) -> Int) -> Bool {
        bytes.withUnsafeBytes { bytes in
            var done = 0
            while done < bytes.count {
                let part = call(UnsafeRawBufferPointer(rebasing: bytes[done...]), done)
                guard part > 0 || errno == EINTR else { return false }
                done += max(0, part)
            }
            return true
        }
    }
}
