internal import StorageModel

/// A field of a storage log's record: how it is written, and how it is read again.
protocol StorageLogField {
    var logged: [UInt8] { get }

    init(from record: inout StorageLogDecoder) throws
}

struct StorageLogDecoder {
    /// The record is too short, or has a number that stands for nothing.
    struct Invalid: Error {}

    private var rest: ArraySlice<UInt8>

    init(_ record: ArraySlice<UInt8>) { rest = record }

    mutating func take(_ count: Int) throws -> ArraySlice<UInt8> {
        guard rest.count >= count else { throw Invalid() }
        let taken = rest.prefix(count)
        rest = rest.dropFirst(count)
        return taken
    }

    mutating func next<Field: StorageLogField>(_: Field.Type = Field.self) throws -> Field {
        try Field(from: &self)
    }
}

/// All numbers are little-endian.
extension StorageLogField where Self: FixedWidthInteger {
    var logged: [UInt8] { withUnsafeBytes(of: littleEndian) { Array($0) } }

    init(from record: inout StorageLogDecoder) throws {
        let bytes = try record.take(MemoryLayout<Self>.size)
        self.init(littleEndian: bytes.withUnsafeBytes { $0.loadUnaligned(as: Self.self) })
    }
}

extension UInt8: StorageLogField {}
extension UInt32: StorageLogField {}
extension UInt64: StorageLogField {}
extension Int32: StorageLogField {}
extension Int64: StorageLogField {}

extension Bool: StorageLogField {
    var logged: [UInt8] { [self ? 1 : 0] }

    init(from record: inout StorageLogDecoder) throws { self = try record.next(UInt8.self) != 0 }
}

/// A run of bytes follows its length (4 bytes).
extension Array: StorageLogField where Element == UInt8 {
    var logged: [UInt8] { UInt32(count).logged + self }

    init(from record: inout StorageLogDecoder) throws {
        let count = try record.next(UInt32.self)
        self.init(try record.take(Int(count)))
    }
}

extension String: StorageLogField {
    var logged: [UInt8] { Array(utf8).logged }

    init(from record: inout StorageLogDecoder) throws {
        self.init(decoding: try record.next([UInt8].self), as: UTF8.self)
    }
}

extension FileID: StorageLogField {
    var logged: [UInt8] { number.logged }

    init(from record: inout StorageLogDecoder) throws { self.init(try record.next(UInt32.self)) }
}

extension FailedSync: StorageLogField {
    var logged: [UInt8] { rawValue.logged }

    init(from record: inout StorageLogDecoder) throws {
        guard let failure = FailedSync(rawValue: try record.next(UInt8.self)) else {
            throw StorageLogDecoder.Invalid()
        }
        self = failure
    }
}

/// Mode (4), owner (4), group (4), 1 or 0 for a time that follows or not (1), seconds (8) and
/// nanoseconds (4), the number of extended attributes (4), and a name and a value each.
extension FileAttributes: StorageLogField {
    var logged: [UInt8] {
        var fields: [any StorageLogField] = [mode, owner, group, modified != nil]
        if let modified {
            fields.append(modified.seconds)
            fields.append(modified.nanoseconds)
        }
        fields.append(UInt32(extended.count))
        for (name, value) in extended.sorted(by: { $0.key < $1.key }) {
            fields.append(name)
            fields.append(value)
        }
        return fields.flatMap { $0.logged }
    }

    init(from record: inout StorageLogDecoder) throws {
        try self.init(mode: record.next(), owner: record.next(), group: record.next())
        if try record.next(Bool.self) {
            modified = try Time(seconds: record.next(), nanoseconds: record.next())
        }
        let count = try record.next(UInt32.self)
        for _ in 0..<count {
            let name = try record.next(String.self)
            extended[name] = try record.next([UInt8].self)
        }
    }
}
