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
        let bytes = bytes(at: address, count: 8, in: thread)
        guard bytes.count == 8 else { return nil }
        return bytes.withUnsafeBytes { $0.loadUnaligned(as: UInt64.self) }
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
        let raw = bytes(at: address, count: 16 * min(max(0, count), 1024), in: thread)
        return raw.withUnsafeBytes { raw in
            stride(from: 0, to: raw.count - 15, by: 16).map { index in
                (
                    raw.loadUnaligned(fromByteOffset: index, as: UInt64.self),
                    Int(raw.loadUnaligned(fromByteOffset: index + 8, as: UInt64.self))
                )
            }
        }
    }

    static func position(
        ofDescriptor descriptor: Int32, in thread: pid_t
    ) -> (offset: Int64, flags: Int32)? {
        guard let text = file("/proc/\(thread)/fdinfo/\(descriptor)", atMost: 256) else {
            return nil
        }
        let fields = text.split(whereSeparator: \.isWhitespace)
        guard fields.count >= 4, fields[0] == "pos:", fields[2] == "flags:",
            let offset = Int64(fields[1]), let flags = Int32(fields[3], radix: 8)
        else { return nil }
        return (offset, flags)
    }

    /// The beginning of a file that the kernel provides.
    static func file(_ path: String, atMost count: Int) -> String? {
        let file = Glibc.open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var bytes: [UInt8] = []
        while bytes.count < count {
            let part = [UInt8](unsafeUninitializedCapacity: 4096) { buffer, done in
                done = max(0, read(file, buffer.baseAddress, buffer.count))
            }
            guard !part.isEmpty else { break }
            bytes += part
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
