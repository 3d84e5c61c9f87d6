internal import CPtrace
internal import Glibc

/// A file's mode, owner, times and extended attributes.
package struct FileAttributes: Sendable, Hashable {
    /// A moment, as files have it.
    package struct Time: Sendable, Hashable {
        /// Seconds since 1970.
        package let seconds: Int64
        /// The rest, below a second.
        package let nanoseconds: UInt32

        package init(seconds: Int64, nanoseconds: UInt32 = 0) {
            self.seconds = seconds
            self.nanoseconds = nanoseconds
        }
    }

    /// The permissions, with the bits for set-user-id and the like.
    package var mode: UInt32
    /// The user's number.
    package var owner: UInt32
    /// The group's number.
    package var group: UInt32
    /// When its content was changed, as a call has set it, or as it was before the program; nil for the
    /// moment at which the program wrote it.
    package var modified: Time?
    /// The extended attributes of programs (`user.…`), by name.
    package var extended: [String: [UInt8]]

    package init(
        mode: UInt32, owner: UInt32 = geteuid(), group: UInt32 = getegid(), modified: Time? = nil,
        extended: [String: [UInt8]] = [:]
    ) {
        self.mode = mode
        self.owner = owner
        self.group = group
        self.modified = modified
        self.extended = extended
    }

    /// Those of a new file, or folder, of this process, where nothing says otherwise.
    package static func standard(isFolder: Bool) -> Self {
        Self(mode: isFolder ? 0o755 : 0o644)
    }

    /// Reads those of a file or a folder, with the time of its last change.
    init(of place: String, _ status: rig_file) {
        self.init(
            mode: status.mode & 0o7777, owner: status.owner, group: status.group,
            modified: Time(seconds: status.seconds, nanoseconds: status.nanoseconds),
            extended: Self.extended(of: place))
    }

    private static func extended(of place: String) -> [String: [UInt8]] {
        let list = bytes { rig_attribute_names(place, $0, $1) }
        let names = list.split(separator: 0).map {
            String(decoding: $0.map(UInt8.init(bitPattern:)), as: UTF8.self)
        }
        return Dictionary(
            uniqueKeysWithValues: names.filter { $0.hasPrefix("user.") }.map { name in
                (name, bytes { rig_attribute(place, name, $0, $1) }.map(UInt8.init(bitPattern:)))
            })
    }

    /// What a call gives that first tells the length; empty where it fails.
    private static func bytes(
        _ call: (UnsafeMutablePointer<CChar>?, Int) -> Int
    ) -> [CChar] {
        let count = call(nil, 0)
        guard count > 0 else { return [] }
        return [CChar](unsafeUninitializedCapacity: count) { buffer, done in
            done = max(0, call(buffer.baseAddress, count))
        }
    }
}
