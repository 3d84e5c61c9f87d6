internal import CPtrace
internal import StorageModel

extension FileAttributes {
    init(of place: String, _ status: rig_file, withTime: Bool) {
        let time = Time(seconds: status.seconds, nanoseconds: status.nanoseconds)
        self.init(
            mode: status.mode & 0o7777, owner: status.owner, group: status.group,
            modified: withTime ? time : nil, extended: Self.extended(of: place))
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
    private static func bytes(_ call: (UnsafeMutablePointer<CChar>?, Int) -> Int) -> [CChar] {
        let count = call(nil, 0)
        guard count > 0 else { return [] }
        return [CChar](unsafeUninitializedCapacity: count) { buffer, done in
            done = max(0, call(buffer.baseAddress, count))
        }
    }
}
