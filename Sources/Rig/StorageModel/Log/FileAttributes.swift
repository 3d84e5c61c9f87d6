internal import Glibc

package struct FileAttributes: Sendable, Hashable {
    package struct Time: Sendable, Hashable {
        /// Since 1970.
        package let seconds: Int64
        package let nanoseconds: UInt32

        package init(seconds: Int64, nanoseconds: UInt32 = 0) {
            (self.seconds, self.nanoseconds) = (seconds, nanoseconds)
        }
    }

    /// The permissions, with the bits for set-user-id and the like.
    package var mode: UInt32
    package var owner: UInt32
    package var group: UInt32
    /// As a call has set it, or as before the program; nil for when the program wrote it.
    package var modified: Time?
    /// The extended attributes of programs (`user.…`), by name.
    package var extended: [String: [UInt8]]

    package init(
        mode: UInt32, owner: UInt32 = geteuid(), group: UInt32 = getegid(), modified: Time? = nil,
        extended: [String: [UInt8]] = [:]
    ) {
        (self.mode, self.owner, self.group) = (mode, owner, group)
        (self.modified, self.extended) = (modified, extended)
    }

    /// Those of a new file, or folder, of this process.
    package static func standard(isFolder: Bool) -> Self { Self(mode: isFolder ? 0o755 : 0o644) }

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
