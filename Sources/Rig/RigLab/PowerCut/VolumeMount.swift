internal import CFileSystem
internal import Foundation
internal import Glibc
package import RigModel
internal import SystemPackage

/// Mounts and unmounts the file systems of volumes, and does what concerns one as a whole.
enum VolumeMount {
    /// How long an unmount waits for processes that still have files open there.
    static let patienceSeconds = 2.0

    static func mount(_ device: String, as fileSystem: VolumeFileSystem, at folder: String) throws {
        let done = fileSystem.mountOptions.withCString {
            Glibc.mount(
                device, folder, fileSystem.rawValue, UInt(MS_NODEV | MS_NOSUID | MS_NOATIME), $0)
        }
        guard done == 0 else { throw Errno(rawValue: errno) }
    }

    /// Unmounts; while something is open there waits a moment, and then throws `resourceBusy`.
    static func unmount(_ folder: String) throws {
        let began = ContinuousClock.now
        while umount2(folder, 0) != 0 {
            let code = Errno(rawValue: errno)
            guard code == .resourceBusy, (ContinuousClock.now - began).seconds < patienceSeconds
            else { throw code }
            Pause.seconds(0.001)
        }
    }

    static func folders(of device: String) -> [String] {
        let table = ProcessFacts.text("/proc/self/mountinfo") ?? ""
        return table.split(separator: "\n").compactMap {
            let fields = $0.split(separator: " ")
            guard let separator = fields.firstIndex(of: "-"), fields.count > separator + 2,
                fields[separator + 2] == device
            else { return nil }
            return unescaped(fields[4])
        }
    }

    /// Decodes the kernel's octal escapes: it writes a space as `\040`.
    private static func unescaped(_ text: Substring) -> String {
        String(text).replacing(/\\([0-7]{3})/) { escape in
            UInt8(escape.1, radix: 8).map { String(UnicodeScalar($0)) } ?? String(escape.0)
        }
    }

    /// Shuts the file system down like a power cut: what was not synced is lost.
    static func cutPower(_ folder: String) throws {
        try onFolder(folder) { filesystem_cut_power($0) }
    }

    /// Returns once everything is on the device.
    static func sync(_ folder: String) throws { try onFolder(folder) { filesystem_sync($0) } }

    private static func onFolder(_ path: String, _ call: (Int32) -> Int32) throws {
        let folder = try path.opened(.readOnly, .directory)
        defer { try? folder.close() }
        guard call(folder.rawValue) == 0 else { throw Errno(rawValue: errno) }
    }
}

/// A file system that the kernel can shut down without a last flush of its journal.
package enum VolumeFileSystem: String, Sendable, CaseIterable {
    case ext4
    case xfs

    /// The file system of a volume by what the run's power cuts may leave; ext4 for nil.
    package init(of model: CrashModel?) { self = model?.disk == .xfs ? .xfs : .ext4 }

    var maker: String { "mkfs.\(rawValue)" }

    /// The program's options: nothing is discarded, and what can be initialised later is.
    var makerOptions: [String] {
        switch self {
        case .ext4:
            [
                "-q", "-F", "-m", "0", "-O", "has_journal",
                "-E", "nodiscard,lazy_itable_init=1,lazy_journal_init=1",
            ]
        case .xfs: ["-q", "-f", "-K"]
        }
    }

    /// The options of mount(2).
    ///
    /// What mkfs.ext4 left uninitialised stays so: initialising it now would only be noise. The
    /// journal is committed every second: launches are shorter than the usual five.
    var mountOptions: String { self == .ext4 ? "noinit_itable,commit=1" : "" }

    /// The fewest bytes of an image: mkfs.xfs refuses less than 300 MB.
    var leastBytes: Int64 { self == .xfs ? 320 << 20 : 0 }

    /// The path of the program, whose folder is not on every user's PATH; nil where there is none.
    var makerPath: String? {
        let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
        let folders = path.split(separator: ":").map(String.init) + ["/usr/sbin", "/sbin"]
        return folders.map { "\($0)/\(maker)" }.first {
            FileManager.default.isExecutableFile(atPath: $0)
        }
    }

    /// The advice where the program is missing: its Debian package.
    var installation: String { "apt-get install \(self == .ext4 ? "e2fsprogs" : "xfsprogs")" }
}
