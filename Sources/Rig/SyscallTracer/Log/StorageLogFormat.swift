internal import StorageModel

/// The binary format of a storage log.
///
/// The file begins with ``magic`` and ``version`` (4 bytes). Records follow: the length of the rest
/// (4 bytes), a tag (1 byte), and the tag's fields. All numbers are little-endian; a text or a run
/// of bytes is its length (4 bytes), followed by its bytes.
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
    /// The first eight bytes.
    static let magic = Array("RIGSTLOG".utf8)
    static let version: UInt32 = 2
    /// The size of magic and version.
    static let headerSize = 12
    /// The tag of a record that says that an operation's call has returned.
    static let returnedTag: UInt8 = 0
}

struct StorageLogEncoder {
    /// The record so far, without its length.
    private(set) var bytes: [UInt8] = []

    /// The record, preceded by its length.
    var record: [UInt8] {
        var encoder = StorageLogEncoder()
        encoder.number(UInt32(bytes.count))
        return encoder.bytes + bytes
    }

    mutating func number<Number: FixedWidthInteger>(_ number: Number) {
        withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
    }

    mutating func run(_ run: [UInt8]) {
        number(UInt32(run.count))
        bytes.append(contentsOf: run)
    }

    mutating func text(_ text: String) {
        run(Array(text.utf8))
    }

    mutating func operation(_ operation: StorageOperation) {
        number(operation.kind.tag)
        number(UInt64(operation.ordinal))
        number(operation.threadID)
        number(UInt64(operation.call ?? 0))
        fields(of: operation.kind)
    }

    private mutating func fields(of kind: StorageOperation.Kind) {
        switch kind {
        case .existing(let path, let file, let bytes):
            number(file.number)
            text(path)
            run(bytes)
        case .create(let path, let file), .link(let file, let path):
            number(file.number)
            text(path)
        case .write(let file, let offset, let bytes):
            number(file.number)
            number(offset)
            run(bytes)
        case .truncate(let file, let length):
            number(file.number)
            number(length)
        case .allocate(let file, let offset, let length, let keepsSize):
            number(file.number)
            number(offset)
            number(length)
            number(UInt8(keepsSize ? 1 : 0))
        case .punchHole(let file, let offset, let length),
            .syncRange(let file, let offset, let length):
            number(file.number)
            number(offset)
            number(length)
        case .syncFailed(let file, let offset, let length, let failure):
            number(file.number)
            number(offset)
            number(length)
            number(failure.rawValue)
        case .syncFile(let file, let dataOnly):
            number(file.number)
            number(UInt8(dataOnly ? 1 : 0))
        case .openTruncate(let file), .unrecorded(let file), .closed(let file):
            number(file.number)
        case .mapped(let file, let inode):
            number(file.number)
            number(inode)
        case .attributes(let file, let attributes, let isInitial):
            number(file.number)
            number(UInt8(isInitial ? 1 : 0))
            self.attributes(attributes)
        case .folderAttributes(let path, let attributes):
            text(path)
            self.attributes(attributes)
        case .existingDirectory(let path), .syncDirectory(let path), .remove(let path),
            .makeDirectory(let path), .removeDirectory(let path), .unseen(let path):
            text(path)
        case .rename(let first, let second), .exchange(let first, let second),
            .symbolicLink(let first, let second):
            text(first)
            text(second)
        case .syncAll: break
        }
    }
}

extension StorageOperation.Kind {
    var tag: UInt8 {
        switch self {
        case .existing: 1
        case .existingDirectory: 2
        case .create: 3
        case .openTruncate: 4
        case .write: 5
        case .truncate: 6
        case .allocate: 7
        case .punchHole: 8
        case .syncFile: 9
        case .syncDirectory: 10
        case .syncAll: 11
        case .rename: 12
        case .exchange: 13
        case .remove: 14
        case .makeDirectory: 15
        case .removeDirectory: 16
        case .link: 17
        case .symbolicLink: 18
        case .unrecorded: 19
        case .mapped: 20
        case .syncRange: 21
        case .closed: 22
        case .unseen: 23
        case .attributes: 24
        case .folderAttributes: 25
        case .syncFailed: 26
        }
    }
}

/// Decodes a record; nil if it is too short.
struct StorageLogDecoder {
    private var rest: ArraySlice<UInt8>

    init(_ record: ArraySlice<UInt8>) {
        rest = record
    }

    mutating func number<Number: FixedWidthInteger>(_: Number.Type = Number.self) -> Number? {
        let size = MemoryLayout<Number>.size
        guard rest.count >= size else { return nil }
        let number = rest.withUnsafeBytes { $0.loadUnaligned(as: Number.self) }
        rest.removeFirst(size)
        return Number(littleEndian: number)
    }

    mutating func run() -> [UInt8]? {
        guard let count = number(UInt32.self), rest.count >= count else { return nil }
        defer { rest.removeFirst(Int(count)) }
        return Array(rest.prefix(Int(count)))
    }

    mutating func text() -> String? {
        run().map { String(decoding: $0, as: UTF8.self) }
    }

    private mutating func file() -> FileID? {
        number(UInt32.self).map { FileID($0) }
    }

    /// The fields of a record with the tag `tag`.
    mutating func kind(_ tag: UInt8) -> StorageOperation.Kind? {
        switch tag {
        case 1, 3...9, 17, 19...22, 24, 26: file().flatMap { ofFile($0, tag) }
        case 2, 10, 13...16, 12, 18, 23, 25: text().flatMap { ofPath($0, tag) }
        case 11: .syncAll
        default: nil
        }
    }

    private mutating func ofFile(_ file: FileID, _ tag: UInt8) -> StorageOperation.Kind? {
        switch tag {
        case 1:
            guard let path = text(), let bytes = run() else { return nil }
            return .existing(path: path, file: file, bytes: bytes)
        case 3: return text().map { .create(path: $0, file: file) }
        case 4: return .openTruncate(file: file)
        case 5:
            guard let offset = number(Int64.self), let bytes = run() else { return nil }
            return .write(file: file, offset: offset, bytes: bytes)
        case 6: return number().map { .truncate(file: file, length: $0) }
        case 7:
            guard let offset = number(Int64.self), let length = number(Int64.self),
                let keeps = number(UInt8.self)
            else { return nil }
            return .allocate(file: file, offset: offset, length: length, keepsSize: keeps != 0)
        case 8, 21:
            guard let offset = number(Int64.self), let length = number(Int64.self) else {
                return nil
            }
            return tag == 8
                ? .punchHole(file: file, offset: offset, length: length)
                : .syncRange(file: file, offset: offset, length: length)
        case 9: return number(UInt8.self).map { .syncFile(file: file, dataOnly: $0 != 0) }
        case 17: return text().map { .link(file: file, path: $0) }
        case 20: return number().map { .mapped(file: file, inode: $0) }
        case 22: return .closed(file: file)
        case 24:
            guard let isInitial = number(UInt8.self), let attributes = attributes() else {
                return nil
            }
            return .attributes(file: file, attributes, isInitial: isInitial != 0)
        case 26:
            guard let offset = number(Int64.self), let length = number(Int64.self),
                let failure = number(UInt8.self).flatMap(FailedSync.init)
            else { return nil }
            return .syncFailed(file: file, offset: offset, length: length, failure)
        default: return .unrecorded(file: file)
        }
    }

    private mutating func ofPath(_ path: String, _ tag: UInt8) -> StorageOperation.Kind? {
        switch tag {
        case 2: .existingDirectory(path: path)
        case 10: .syncDirectory(path: path)
        case 12: text().map { .rename(from: path, to: $0) }
        case 13: text().map { .exchange(path, $0) }
        case 14: .remove(path: path)
        case 15: .makeDirectory(path: path)
        case 16: .removeDirectory(path: path)
        case 23: .unseen(path)
        case 25: attributes().map { .folderAttributes(path: path, $0) }
        default: text().map { .symbolicLink(path: path, target: $0) }
        }
    }
}
