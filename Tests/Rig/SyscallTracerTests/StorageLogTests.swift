import Foundation
import StorageModel
import SyscallTracer
import Testing

/// What is written into a storage log can be read again, wherever the log ends.
@Suite struct StorageLogTests {
    static let kinds: [StorageOperation.Kind] = [
        .existing(path: "a/ü", file: FileID(1), bytes: [1, 2, 3]), .existingDirectory(path: "a"),
        .create(path: "b", file: FileID(2)), .create(path: "", file: FileID(3)),
        .openTruncate(file: FileID(1)),
        .write(file: FileID(2), offset: 1 << 40, bytes: Array(0..<16)),
        .truncate(file: FileID(2), length: 5),
        .allocate(file: FileID(2), offset: 4096, length: 8192, keepsSize: true),
        .punchHole(file: FileID(2), offset: 0, length: 4096),
        .syncFile(file: FileID(2), dataOnly: true), .syncDirectory(path: "."), .syncAll,
        .closed(file: FileID(3)), .rename(from: "b", to: "a/c"), .exchange("a", "b"),
        .remove(path: "a/c"), .makeDirectory(path: "d"), .removeDirectory(path: "d"),
        .link(file: FileID(3), path: "e"), .symbolicLink(path: "f", target: "../elsewhere"),
        .mapped(file: FileID(2), inode: 1 << 40), .unrecorded(file: FileID(2)),
        .syncRange(file: FileID(2), offset: 4096, length: 512),
        .syncFailed(file: FileID(2), offset: 0, length: .max, .seen),
        .syncFailed(file: FileID(2), offset: 4096, length: 512, .reverted),
        .syncFailed(file: FileID(2), offset: 0, length: .max, .journalled),
        .syncFailed(file: FileID(2), offset: 0, length: .max, .late),
    ]

    @Test func everyKindIsReadAsItWasWritten() throws {
        let place = try Place()
        var writer = try StorageLogWriter(path: place.path("log"))
        for (index, kind) in Self.kinds.enumerated() {
            let ordinal = try writer.append(kind, threadID: 7, call: index)
            try writer.noteReturn(of: ordinal, result: 1 << 20)
        }
        let read = try StorageLog(path: place.path("log")).operations
        #expect(read.map(\.kind) == Self.kinds)
        #expect(read.map(\.ordinal) == Array(1...Self.kinds.count))
        #expect(read.map(\.call) == [nil] + (1..<Self.kinds.count).map { $0 })
        #expect(read.allSatisfy { $0.returned && $0.threadID == 7 })
    }

    @Test func aCallThatDidNotReturnIsThereAndOneThatFailedIsNot() throws {
        let place = try Place()
        var writer = try StorageLogWriter(path: place.path("log"))
        _ = try writer.append(.existing(path: "a", file: FileID(1), bytes: []))
        let short = try writer.append(
            .write(file: FileID(1), offset: 0, bytes: [1, 2, 3]), threadID: 7)
        let failed = try writer.append(.remove(path: "a"), threadID: 8)
        _ = try writer.append(.syncAll, threadID: 9)
        try writer.noteReturn(of: failed, result: -2)
        try writer.noteReturn(of: short, result: 2)
        let log = try StorageLog(path: place.path("log"))
        #expect(
            log.operations == [
                StorageOperation(
                    ordinal: 1, kind: .existing(path: "a", file: FileID(1), bytes: [])),
                StorageOperation(
                    ordinal: 2, threadID: 7,
                    kind: .write(file: FileID(1), offset: 0, bytes: [1, 2])),
                StorageOperation(ordinal: 4, threadID: 9, returned: false, kind: .syncAll),
            ])
    }

    /// The tracer may be killed with a record half written.
    @Test func aLogCutAtAnyByteHoldsTheRecordsBefore() throws {
        let place = try Place()
        var writer = try StorageLogWriter(path: place.path("log"))
        var ends: [Int] = []
        for kind in Self.kinds {
            _ = try writer.append(kind, threadID: 7)
            ends.append(try Data(contentsOf: place.url("log")).count)
        }
        let whole = try Data(contentsOf: place.url("log"))
        for cut in 12...whole.count {
            try whole.prefix(cut).write(to: place.url("cut"))
            let read = try StorageLog(path: place.path("cut")).operations
            #expect(read.count == ends.count { $0 <= cut })
            #expect(read.map(\.kind) == Array(Self.kinds.prefix(read.count)))
        }
    }

    @Test(arguments: ["", "RIGSTLOG", "RIGSTLOG\u{1}\u{0}\u{0}\u{0}", "a file of another kind"])
    func whatIsNoLogIsRefused(text: String) throws {
        let place = try Place()
        try Data(text.utf8).write(to: place.url("log"))
        #expect(throws: StorageLogError.unknownFormat(path: place.path("log"))) {
            try StorageLog(path: place.path("log"))
        }
    }

    @Test func aDamagedRecordIsNotSkipped() throws {
        let place = try Place()
        var writer = try StorageLogWriter(path: place.path("log"))
        _ = try writer.append(.syncAll, threadID: 7)
        var bytes = try Data(contentsOf: place.url("log"))
        bytes[16] = 99
        try bytes.write(to: place.url("log"))
        #expect(throws: StorageLogError.damaged(path: place.path("log"), offset: 12)) {
            try StorageLog(path: place.path("log"))
        }
    }
}
