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
        let header = StorageLogFormat.magic + StorageLogFormat.version.logged
        guard bytes.starts(with: header) else { throw .unknownFormat(path: path) }
        var begun: [StorageOperation] = []
        // By the ordinals of their operations.
        var results: [Int: Int64] = [:]
        var offset = StorageLogFormat.headerSize
        while let record = Self.record(in: bytes, at: offset) {
            do {
                try Self.read(record, &begun, &results)
            } catch {
                throw .damaged(path: path, offset: offset)
            }
            offset = record.endIndex
        }
        self.path = path
        log = StorageLog(operations: begun.compactMap { $0.after(results[$0.ordinal]) })
        lastOrdinal = begun.last?.ordinal ?? 0
        length = offset
    }

    /// True if a file has the beginning of a log, which is written at once.
    package static func isBegun(_ path: String) -> Bool {
        let size = try? FileManager.default.attributesOfItem(atPath: path)[.size] as? Int
        return (size ?? 0) >= StorageLogFormat.headerSize
    }

    private static func record(in bytes: [UInt8], at offset: Int) -> ArraySlice<UInt8>? {
        var rest = StorageLogDecoder(bytes[offset...])
        guard let length = try? rest.next(UInt32.self) else { return nil }
        return try? rest.take(Int(length))
    }

    private static func read(
        _ record: ArraySlice<UInt8>, _ begun: inout [StorageOperation],
        _ results: inout [Int: Int64]
    ) throws {
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

extension StorageOperation {
    /// What it was by its call's result: nil for one that failed; a short write is cut to what was
    /// written.
    fileprivate func after(_ result: Int64?) -> Self? {
        guard threadID != 0, let result else { return self }
        guard result >= 0 else { return nil }
        var kind = kind
        if case .write(let file, let offset, let bytes) = kind, result < bytes.count {
            kind = .write(file: file, offset: offset, bytes: Array(bytes.prefix(Int(result))))
        }
        return Self(ordinal: ordinal, threadID: threadID, call: call, kind: kind)
    }
}

package enum StorageLogError: Error, Hashable, CustomStringConvertible {
    case system(path: String, message: String)
    case unknownFormat(path: String)
    case damaged(path: String, offset: Int)

    package var description: String {
        switch self {
        case .system(let path, let message):
            "the storage log \(path) cannot be used: \(message); check the path and the free space"
        case .unknownFormat(let path):
            "\(path) is no storage log of version \(StorageLogFormat.version); record it again"
        case .damaged(let path, let offset):
            "the storage log \(path) is damaged at byte \(offset); record it again"
        }
    }
}
