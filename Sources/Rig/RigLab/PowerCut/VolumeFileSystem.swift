internal import Foundation
package import RigModel

/// A file system that the kernel can shut down without a last flush of its journal.
package enum VolumeFileSystem: String, Sendable, CaseIterable {
    case ext4
    case xfs

    /// The file system of a volume by what the run's power cuts may leave; ext4 for nil.
    package init(of model: CrashModel?) { self = model?.disk == .xfs ? .xfs : .ext4 }

    /// The name of the program that makes one.
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
