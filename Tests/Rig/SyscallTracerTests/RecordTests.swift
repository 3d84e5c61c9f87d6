import Foundation
import RigModel
import StorageModel
import SyscallTracer
import TestSupport
import Testing

/// A log records the program's changes so exactly that its files can be rebuilt from it.
@Suite struct RecordTests {
    private let program: TracedProgram

    init() throws { program = try TracedProgram() }

    @Test func everyKindOfCallIsInTheLog() async throws {
        let outcome = try await program.record(["kinds", "{work}"])
        #expect(outcome.exitCode == 0, "\(outcome.complaint)")
        let log = try program.log
        #expect(log.operations.count { !$0.returned } == 0)
        #expect(log.operations.map(\.kind) == Self.kinds)
        let calls = log.operations.compactMap(\.call)
        #expect(calls == calls.sorted())
        #expect(try Self.files(of: log) == Self.files(below: program.work))
    }

    /// The operations of `FileCaller kinds`, in order.
    private static let kinds: [StorageOperation.Kind] = {
        let (file, copy, again) = (FileID(1), FileID(2), FileID(3))
        func write(_ file: FileID, _ offset: Int64, _ text: String) -> StorageOperation.Kind {
            .write(file: file, offset: offset, bytes: Array(text.utf8))
        }
        return [
            .makeDirectory(path: "sub"), .create(path: "sub/file", file: file),
            write(file, 0, "abc"), write(file, 3, "defg"), write(file, 7, "hijkl"),
            write(file, 12, "hijkl"), .syncFile(file: file, dataOnly: false),
            .truncate(file: file, length: 15),
            .allocate(file: file, offset: 0, length: 20, keepsSize: false),
            .syncFile(file: file, dataOnly: true), write(file, 20, "mn"),
            .create(path: "copy", file: copy), write(copy, 0, "abcdefghij"),
            write(copy, 10, "klhij"), .link(file: copy, path: "linked"),
            .symbolicLink(path: "symbolic", target: "sub/file"), .rename(from: "copy", to: "moved"),
            .openTruncate(file: file), write(file, 0, "z"), .truncate(file: copy, length: 3),
            .remove(path: "sub/file"), write(file, 1, "y"), .remove(path: "linked"),
            .remove(path: "symbolic"), .syncDirectory(path: "."), .removeDirectory(path: "sub"),
            .create(path: "again", file: again), write(again, 0, "sync"),
            .syncRange(file: again, offset: 0, length: 4), .syncAll,
        ]
    }()

    @Test func theLogOfManyThreadsMakesTheirFiles() async throws {
        let arguments = ["threads", "{work}", "8", "30"]
        _ = try await program.record(arguments)
        let log = try program.log
        #expect(try Self.files(of: log) == Self.files(below: program.work))
        #expect(Set(log.operations.map(\.threadID)).count == 8)
    }

    @Test(arguments: CallMoment.Edge.allCases)
    func aKillEndsTheLogWhereItEndsTheFiles(edge: CallMoment.Edge) async throws {
        for point in [1, 2, 17, 40, 61] {
            try program.clear()
            let outcome = try await program.record(
                ["threads", "{work}", "4", "10"],
                ["--kill-at", "\(point)", "--edge", edge.rawValue])
            #expect(outcome.signal == 9)
            let log = try program.log
            #expect(try Self.files(of: log) == Self.files(below: program.work))
            #expect(
                log.operations.compactMap(\.call).last ?? 0 == point - (edge == .before ? 1 : 0))
        }
    }

    /// After the tracer is killed, the log has everything that the program can know of.
    @Test func theLogOutlivesTheTracer() async throws {
        _ = try await program.record(["forever", "{work}"]) { tracer in
            try await eventually("the program writes") {
                try program.sizes()["forever", default: 0] > 20
            }
            kill(tracer, SIGKILL)
        }
        let operations = try program.log.operations
        let size = try program.sizes()["forever", default: 0]
        let returned = operations.count { $0.returned && $0.kind.isWrite }
        let begun = operations.count { $0.kind.isWrite }
        #expect((returned...begun).contains(size))
        #expect(begun - returned <= 1)
    }

    @Test func whatWasThereBeforeIsInTheLog() async throws {
        _ = try await program.record(["threads", "{work}", "2", "4"])
        try FileManager.default.createDirectory(
            atPath: "\(program.work)/folder", withIntermediateDirectories: false)
        try FileManager.default.linkItem(
            atPath: "\(program.work)/1", toPath: "\(program.work)/folder/other")
        _ = try await program.record(["threads", "{work}", "2", "6"])
        let log = try program.log
        #expect(
            Array(log.operations.map(\.kind).prefix(4)) == [
                .existing(path: "0", file: FileID(1), bytes: [0, 1, 2, 3]),
                .existing(path: "1", file: FileID(2), bytes: [0, 1, 2, 3]),
                .existingDirectory(path: "folder"), .link(file: FileID(2), path: "folder/other"),
            ])
        #expect(try Self.files(of: log) == Self.files(below: program.work))
    }

    /// What msync covers is recorded before it; what was stored later is found at the end.
    @Test func whatIsWrittenThroughMemoryIsRecordedBeforeItsSync() async throws {
        _ = try await program.record(["map", "{work}"], ["--looks-before-syncs-only"])
        let log = try program.log
        let (inode, path) = try #require(FolderScan.paths(below: program.work).first)
        #expect(
            log.operations.map(\.kind) == [
                .create(path: "mapped", file: FileID(1)), .truncate(file: FileID(1), length: 16384),
                .mapped(file: FileID(1), inode: inode),
                .write(file: FileID(1), offset: 0, bytes: Self.sector("m")),
                // One byte was synced, and with it its page.
                .syncRange(file: FileID(1), offset: 0, length: 4096),
                .write(file: FileID(1), offset: 4608, bytes: Self.sector("n")),
                .syncFile(file: FileID(1), dataOnly: true),
            ])
        // The last byte is stored after the last sync.
        var file = MappedFile(knowing: [(0, Self.sector("m")), (4608, Self.sector("n"))])
        #expect(file.changes(of: path)?.map(\.offset) == [7680])
        #expect(file.changes(of: path)?.isEmpty == true)
        #expect(file.changes(of: path + "-elsewhere") == nil)
    }

    /// A page may reach the disk as it once was: a value that is stored and taken back, without any
    /// sync or other call, is recorded, too (A6).
    @Test func whatIsStoredForAWhileIsRecorded() async throws {
        let log = program.place.path("log")
        _ = try await program.record(["map-flag", "{work}"]) { _ in
            try await eventually("the flag is recorded") {
                guard let log = try? StorageLog(path: log) else { return false }
                return log.operations.contains {
                    $0.kind == .write(file: FileID(1), offset: 0, bytes: Self.sector("m"))
                }
            }
            try Data().write(to: program.place.url("go"))
        }
        let (_, path) = try #require(FolderScan.paths(below: program.work).first)
        #expect(FileManager.default.contents(atPath: path)?.first == UInt8(ascii: "n"))
    }

    /// A sector that begins with a letter.
    private static func sector(_ letter: Character) -> [UInt8] {
        [letter.asciiValue ?? 0] + [UInt8](repeating: 0, count: 511)
    }

    /// Contents by path; nil for a folder.
    private static func files(below folder: String) throws -> [String: [UInt8]?] {
        let names = try FileManager.default.subpathsOfDirectory(atPath: folder)
        return Dictionary(
            uniqueKeysWithValues: names.map { name in
                (name, FileManager.default.contents(atPath: "\(folder)/\(name)").map(Array.init))
            })
    }

    /// The files that a log produces if all of it takes effect.
    private static func files(of log: StorageLog) throws -> [String: [UInt8]?] {
        let replay = try StorageReplay(of: log, on: .posix)
        return replay.names.nodes.mapValues { node -> [UInt8]? in
            guard case .file(let file) = node, let content = replay.seen(of: file) else {
                return nil
            }
            return content.parts(of: 0..<content.size).flatMap { Array($0.bytes) }
        }
    }
}

extension StorageOperation.Kind {
    fileprivate var isWrite: Bool { if case .write = self { true } else { false } }
}
