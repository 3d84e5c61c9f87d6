internal import Foundation
package import StorageModel

extension StorageLog {
    /// Reads a log of `rig trace --record`; an incomplete last record is dropped.
    package init(path: String) throws(StorageLogError) { self = try StorageLogFile(path: path).log }
}

/// A log's file, from which a writer can go on.
package struct StorageLogFile: Sendable {
    let path: String
    package let log: StorageLog
    /// The ordinal of the last operation, also of one that failed; 0 without any.
    let lastOrdinal: Int
    /// The length in bytes up to the end of the last complete record.
    let length: Int

    /// Reads a log; an incomplete last record is dropped.
    package init(path: String) throws(StorageLogError) {
        let bytes: [UInt8]
        do {
            bytes = Array(try Data(contentsOf: URL(fileURLWithPath: path)))
        } catch {
            throw .system(path: path, message: error.localizedDescription)
        }
        guard
            bytes.starts(with: StorageLogFormat.magic + StorageLogFormat.version.logged)
        else { throw .unknownFormat(path: path) }
        var reader = Reader()
        var offset = StorageLogFormat.headerSize
        while let record = Self.record(in: bytes, at: offset) {
            do {
                try reader.read(record)
            } catch {
                throw .damaged(path: path, offset: offset)
            }
            offset = record.endIndex
        }
        self.path = path
        log = StorageLog(operations: reader.operations)
        lastOrdinal = reader.lastOrdinal
        length = offset
    }

    /// True if a file has the beginning of a log, which is written at once.
    package static func isBegun(_ path: String) -> Bool {
        let size = try? FileManager.default.attributesOfItem(atPath: path)[.size] as? Int
        return (size ?? 0) >= StorageLogFormat.headerSize
    }

    private static func record(in bytes: [UInt8], at offset: Int) -> ArraySlice<UInt8>? {
        var decoder = StorageLogDecoder(bytes[offset...])
        guard let length = try? decoder.next(UInt32.self) else { return nil }
        let start = offset + MemoryLayout<UInt32>.size
        guard bytes.count - start >= Int(length) else { return nil }
        return bytes[start..<start + Int(length)]
    }
}

private struct Reader {
    private var begun: [StorageOperation] = []
    var lastOrdinal: Int { begun.last?.ordinal ?? 0 }
    /// The results of calls that have returned, by the ordinals of their operations.
    private var results: [Int: Int64] = [:]

    var operations: [StorageOperation] {
        begun.compactMap { operation in
            guard operation.threadID != 0 else { return operation }
            guard let result = results[operation.ordinal] else { return operation }
            guard result >= 0 else { return nil }
            return StorageOperation(
                ordinal: operation.ordinal, threadID: operation.threadID, returned: true,
                call: operation.call, kind: operation.kind.cut(to: result))
        }
    }

    mutating func read(_ record: ArraySlice<UInt8>) throws {
        var fields = StorageLogDecoder(record)
        let tag = try fields.next(UInt8.self)
        let ordinal = Int(try fields.next(UInt64.self))
        guard tag != StorageLogFormat.returnedTag else {
            results[ordinal] = try fields.next(Int64.self)
            return
        }
        let (thread, call) = (try fields.next(Int32.self), try fields.next(UInt64.self))
        begun.append(
            StorageOperation(
                ordinal: ordinal, threadID: thread, returned: thread == 0,
                call: call == 0 ? nil : Int(call), kind: try fields.kind(tag)))
    }
}

extension StorageOperation.Kind {
    /// Cuts a short write to the bytes that were written.
    fileprivate func cut(to result: Int64) -> Self {
        guard case .write(let file, let offset, let bytes) = self, result < bytes.count else {
            return self
        }
        return .write(file: file, offset: offset, bytes: Array(bytes.prefix(Int(result))))
    }
}
