internal import StorageModel

/// Attributes in a record: mode (4), owner (4), group (4), 1 or 0 for a time that follows or not (1),
/// seconds (8) and nanoseconds (4), the number of extended attributes (4), and a name and a value each.
extension StorageLogEncoder {
    mutating func attributes(_ attributes: FileAttributes) {
        number(attributes.mode)
        number(attributes.owner)
        number(attributes.group)
        number(UInt8(attributes.modified == nil ? 0 : 1))
        if let time = attributes.modified {
            number(time.seconds)
            number(time.nanoseconds)
        }
        number(UInt32(attributes.extended.count))
        for (name, value) in attributes.extended.sorted(by: { $0.key < $1.key }) {
            text(name)
            run(value)
        }
    }
}

extension StorageLogDecoder {
    mutating func attributes() -> FileAttributes? {
        guard let mode = number(UInt32.self), let owner = number(UInt32.self),
            let group = number(UInt32.self), let hasTime = number(UInt8.self)
        else { return nil }
        var attributes = FileAttributes(mode: mode, owner: owner, group: group)
        if hasTime != 0 {
            guard let seconds = number(Int64.self), let rest = number(UInt32.self) else {
                return nil
            }
            attributes.modified = FileAttributes.Time(seconds: seconds, nanoseconds: rest)
        }
        guard let count = number(UInt32.self) else { return nil }
        for _ in 0..<count {
            guard let name = text(), let value = run() else { return nil }
            attributes.extended[name] = value
        }
        return attributes
    }
}
