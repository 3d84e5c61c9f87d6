/// A part of a file in a program's memory, as a line of `/proc/PID/maps` tells.
struct MemoryPart {
    let addresses: Range<UInt64>
    /// Such as `rw-s`.
    let rights: Substring
    let offset: UInt64
    let inode: UInt64?
    let path: String

    /// Nil where the kernel does not tell.
    static func all(of thread: Int32) -> [MemoryPart]? {
        Tracee.file("/proc/\(thread)/maps", atMost: 1 << 24)?.split(separator: "\n")
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
