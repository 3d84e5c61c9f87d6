internal import Glibc
package import StorageModel

/// Writes a storage log record by record, unbuffered: after a kill, the file holds all of them.
package struct StorageLogWriter: ~Copyable {
    let path: String
    private let descriptor: Int32
    private var ordinal = 0

    package init(path: String) throws(StorageLogError) {
        self.path = path
        descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { throw Self.failure(path) }
        try write(StorageLogFormat.magic + StorageLogFormat.version.logged)
    }

    /// Goes on in a log that is as it was read; an incomplete last record is cut off.
    package init(continuing file: StorageLogFile) throws(StorageLogError) {
        path = file.path
        descriptor = open(path, O_WRONLY | O_APPEND | O_CLOEXEC)
        guard descriptor >= 0 else { throw Self.failure(path) }
        ordinal = file.lastOrdinal
        guard ftruncate(descriptor, off_t(file.length)) == 0 else { throw Self.failure(path) }
    }

    deinit { _ = close(descriptor) }

    /// Writes an operation that is about to happen; returns its ordinal.
    package mutating func append(
        _ kind: StorageOperation.Kind, threadID: Int32 = 0, call: Int? = nil
    ) throws(StorageLogError) -> Int {
        ordinal += 1
        let (tag, fields) = kind.record
        let head: [any StorageLogField] = [tag, UInt64(ordinal), threadID, UInt64(call ?? 0)]
        try write(StorageLogFormat.record(head + fields))
        return ordinal
    }

    @discardableResult package mutating func append(
        _ change: MappedFile.Change, of file: FileID, threadID: Int32
    ) throws(StorageLogError) -> StorageOperation {
        let write = StorageOperation.Kind.write(
            file: file, offset: change.offset, bytes: change.bytes)
        let ordinal = try append(write, threadID: threadID)
        try noteReturn(of: ordinal, result: Int64(change.bytes.count))
        return StorageOperation(ordinal: ordinal, threadID: threadID, kind: write)
    }

    /// Records a call's result: for a write the bytes written; negative when it failed.
    package mutating func noteReturn(of ordinal: Int, result: Int64) throws(StorageLogError) {
        try write(StorageLogFormat.record([StorageLogFormat.returnedTag, UInt64(ordinal), result]))
    }

    private func write(_ bytes: [UInt8]) throws(StorageLogError) {
        let isWritten = WholeBytes.write(bytes) { part, _ in
            Glibc.write(descriptor, part.baseAddress, part.count)
        }
        guard isWritten else { throw Self.failure(path) }
    }

    private static func failure(_ path: String) -> StorageLogError {
        .system(path: path, message: String(cString: strerror(errno)))
    }
}
