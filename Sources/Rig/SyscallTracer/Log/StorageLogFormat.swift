internal import StorageModel

/// The binary format of a storage log.
///
/// The file begins with ``magic`` and ``version`` (4 bytes). Records follow: the length of the rest
/// (4 bytes), a tag (1 byte), and the tag's fields (``StorageLogField``).
///
/// | tag | fields |
/// |---|---|
/// | 0 | returned: ordinal (8), the call's result (8): negative when it failed |
/// | 1 … | an operation: ordinal (8), thread (4), counted call or 0 (8), and what it did |
///
/// An operation is written before its call proceeds. `returned` is written after the call, before
/// the program sees the result. A log cut off at any byte thus still shows what the program can
/// have known.
enum StorageLogFormat {
    static let magic = Array("RIGSTLOG".utf8)
    static let version: UInt32 = 2
    static let headerSize = 12
    static let returnedTag: UInt8 = 0

    static func record(_ fields: [any StorageLogField]) -> [UInt8] {
        fields.flatMap { $0.logged }.logged
    }
}

extension StorageOperation.Kind {
    /// The tag of its record, and what follows in it; ``StorageLogDecoder/kind(_:)`` reads the
    /// same.
    var record: (tag: UInt8, fields: [any StorageLogField]) {
        switch self {
        case .existing(let path, let file, let bytes): (1, [file, path, bytes])
        case .existingDirectory(let path): (2, [path])
        case .create(let path, let file): (3, [file, path])
        case .openTruncate(let file): (4, [file])
        case .write(let file, let offset, let bytes): (5, [file, offset, bytes])
        case .truncate(let file, let length): (6, [file, length])
        case .allocate(let file, let offset, let length, let keepsSize):
            (7, [file, offset, length, keepsSize])
        case .punchHole(let file, let offset, let length): (8, [file, offset, length])
        case .syncFile(let file, let dataOnly): (9, [file, dataOnly])
        case .syncDirectory(let path): (10, [path])
        case .syncAll: (11, [])
        case .rename(let from, let to): (12, [from, to])
        case .exchange(let one, let other): (13, [one, other])
        case .remove(let path): (14, [path])
        case .makeDirectory(let path): (15, [path])
        case .removeDirectory(let path): (16, [path])
        case .link(let file, let path): (17, [file, path])
        case .symbolicLink(let path, let target): (18, [path, target])
        case .unrecorded(let file): (19, [file])
        case .mapped(let file, let inode): (20, [file, inode])
        case .syncRange(let file, let offset, let length): (21, [file, offset, length])
        case .closed(let file): (22, [file])
        case .unseen(let what): (23, [what])
        case .attributes(let file, let attributes, let isInitial):
            (24, [file, isInitial, attributes])
        case .folderAttributes(let path, let attributes): (25, [path, attributes])
        case .syncFailed(let file, let offset, let length, let failure):
            (26, [file, offset, length, failure])
        }
    }
}

extension StorageLogDecoder {
    mutating func kind(_ tag: UInt8) throws -> StorageOperation.Kind {
        switch tag {
        case 1:
            let file = try next(FileID.self)
            return try .existing(path: next(), file: file, bytes: next())
        case 2: return try .existingDirectory(path: next())
        case 3:
            let file = try next(FileID.self)
            return try .create(path: next(), file: file)
        case 4: return try .openTruncate(file: next())
        case 5: return try .write(file: next(), offset: next(), bytes: next())
        case 6: return try .truncate(file: next(), length: next())
        case 7:
            return try .allocate(file: next(), offset: next(), length: next(), keepsSize: next())
        case 8: return try .punchHole(file: next(), offset: next(), length: next())
        case 9: return try .syncFile(file: next(), dataOnly: next())
        case 10: return try .syncDirectory(path: next())
        case 11: return .syncAll
        case 12: return try .rename(from: next(), to: next())
        case 13: return try .exchange(next(), next())
        case 14: return try .remove(path: next())
        case 15: return try .makeDirectory(path: next())
        case 16: return try .removeDirectory(path: next())
        case 17: return try .link(file: next(), path: next())
        case 18: return try .symbolicLink(path: next(), target: next())
        case 19: return try .unrecorded(file: next())
        case 20: return try .mapped(file: next(), inode: next())
        case 21: return try .syncRange(file: next(), offset: next(), length: next())
        case 22: return try .closed(file: next())
        case 23: return try .unseen(next())
        case 24:
            let (file, isInitial) = (try next(FileID.self), try next(Bool.self))
            return try .attributes(file: file, next(), isInitial: isInitial)
        case 25: return try .folderAttributes(path: next(), next())
        case 26: return try .syncFailed(file: next(), offset: next(), length: next(), next())
        default: throw Invalid()
        }
    }
}
