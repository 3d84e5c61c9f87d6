internal import CFileSystem
internal import Foundation
internal import SyscallTracer

extension FileAttributes {
    /// Gives them to a file or a folder of this process.
    func set(on path: String) throws {
        for (name, value) in extended {
            try check(file_set_attribute(path, name, value, value.count))
        }
        if owner != geteuid() || group != getegid() { try check(chown(path, owner, group)) }
        // After the owner, whose change takes the bits for set-user-id.
        try check(chmod(path, mode_t(mode)))
        guard let modified else { return }
        let time = timespec(tv_sec: Int(modified.seconds), tv_nsec: Int(modified.nanoseconds))
        try check(utimensat(AT_FDCWD, path, [time, time], 0))
    }

    private func check(_ result: Int32) throws {
        if result != 0 { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
    }

    /// What of them is not as in most files, on one line: `{600,u5,t1000,user.tag=X}`.
    ///
    /// A time is shown only if it is an old one. harness/conformance/conform.py writes the same.
    func text(isFolder: Bool) -> String {
        var parts: [String] = []
        if mode != Self.standard(isFolder: isFolder).mode { parts.append(String(mode, radix: 8)) }
        if owner != geteuid() { parts.append("u\(owner)") }
        if let modified, modified.seconds < 1_500_000_000 { parts.append("t\(modified.seconds)") }
        for (name, value) in extended.sorted(by: { $0.key < $1.key }) {
            parts.append("\(name)=\(String(decoding: value, as: UTF8.self))")
        }
        return parts.isEmpty ? "" : "{\(parts.joined(separator: ","))}"
    }
}
