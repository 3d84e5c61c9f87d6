package import GRDB

extension Row {
    /// The value in a column; a damaged one has any type, on which GRDB's own subscripts crash.
    package func value<Value: DatabaseValueConvertible>(_ column: Int) throws -> Value {
        guard let value = Value.fromDatabaseValue(self[column]) else {
            throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "impossible value")
        }
        return value
    }

    /// The value in a column; nil if the column is NULL.
    package func valueIfAny<Value: DatabaseValueConvertible>(_ column: Int) throws -> Value? {
        (self[column] as DatabaseValue).isNull ? nil : try value(column)
    }
}

extension Database {
    /// All rows that a statement finds, which is compiled once.
    func rows(_ sql: String, _ arguments: StatementArguments) throws -> [Row] {
        try Row.fetchAll(cachedStatement(sql: sql), arguments: arguments)
    }

    func run(_ sql: String, _ arguments: StatementArguments) throws {
        try cachedStatement(sql: sql).execute(arguments: arguments)
    }
}

/// The checksums of index rows; without them a flipped bit would go unnoticed: a length of 4 MB
/// instead of 5 MB, or bytes at another offset.
package enum RowChecksum {
    static func ofVideo(_ id: Int64, _ url: String, _ information: ContentInformation) -> Int64 {
        var fields = Fields()
        fields.add(id)
        fields.add(url)
        fields.add(information.length)
        fields.add(information.mimeType)
        fields.add(information.acceptsRanges ? 1 : 0)
        fields.add(information.etag)
        fields.add(information.lastModified)
        if information.isComparedByBytes { fields.add(1) }
        for tag in information.otherETags { fields.add(tag) }
        if let freshness = information.freshness {
            fields.add(2)
            fields.add(freshness.text)
        }
        return fields.checksum
    }

    /// The XXH3-64 checksum of a chunk's row, as a signed number; `id` is its video's number.
    package static func ofChunk(_ id: Int64, _ range: ByteRange, checksum: UInt64) -> Int64 {
        var fields = Fields()
        fields.add(id)
        fields.add(range.offset)
        fields.add(range.length)
        fields.add(Int64(bitPattern: checksum))
        return fields.checksum
    }

    /// Serialized values, in an encoding in which no two lists of values have the same bytes.
    private struct Fields {
        private var bytes: [UInt8] = []

        mutating func add(_ number: Int64?) {
            bytes.append(number == nil ? 0 : 1)
            withUnsafeBytes(of: (number ?? 0).littleEndian) { bytes += $0 }
        }

        mutating func add(_ text: String?) {
            add(text.map { Int64($0.utf8.count) })
            bytes += Array((text ?? "").utf8)
        }

        var checksum: Int64 { Int64(bitPattern: bytes.withUnsafeBytes(Checksum.xxh3)) }
    }
}
