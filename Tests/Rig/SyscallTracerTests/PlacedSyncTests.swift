import Foundation
import RigModel
import StorageModel
import SyscallTracer
import TestSupport
import Testing

/// What the tracer does for an explanation: it notes where calls are made, and makes syncs.
@Suite struct PlacedSyncTests {
    private func record(
        _ arguments: [String], syncs: [PlacedSync] = [], stacks: Bool = false
    ) async throws -> (log: StorageLog, stacks: StackLog) {
        let program = try TracedProgram()
        var options = stacks ? ["--stacks", program.place.path("stacks")] : []
        for sync in syncs {
            options += ["--sync", String(decoding: try JSONEncoder().encode(sync), as: UTF8.self)]
        }
        let outcome = try await program.record(arguments, options)
        #expect(outcome.exitCode == 0, "\(outcome.complaint)")
        return (try program.log, StackLog(path: program.place.path("stacks")))
    }

    /// `FileCaller kinds` renames `copy`, makes its copy shorter as `moved`, and syncs its folder.
    @Test func syncsComeBeforeAndAfterTheirCalls() async throws {
        let plain = try await record(["kinds", "{work}"]).log
        let log = try await record(
            ["kinds", "{work}"],
            syncs: [
                PlacedSync(.data, of: PlacedSync.renamed, .before, call: "rename", on: "moved"),
                PlacedSync(.file, of: "mov*", .after, call: "rename", on: "moved"),
                PlacedSync(.folder, of: ".", .after, call: "rename", on: "moved"),
                PlacedSync(.file, of: "moved", .before, call: "rename", on: "another"),
            ]
        ).log
        let index = try #require(
            log.operations.firstIndex { $0.kind == .rename(from: "copy", to: "moved") })
        #expect(
            log.operations[index - 1...index + 3].map(\.kind) == [
                .syncFile(file: FileID(2), dataOnly: true), .rename(from: "copy", to: "moved"),
                .syncFile(file: FileID(2), dataOnly: false), .syncDirectory(path: "."),
                .openTruncate(file: FileID(1)),
            ])
        #expect(log.operations.count == plain.operations.count + 3)
        let isNew = plain.operations.map(\.kind).count { $0 == .syncDirectory(path: ".") }
        #expect(isNew == 1)
    }

    /// A number in a path stands for any: a program that numbers its files is meant at all of them.
    @Test func aPatternIsOfAllNumbers() {
        #expect(PlacedSync.pattern(of: "chunks/0017.tmp") == "chunks/*.tmp")
        #expect(PlacedSync.pattern(of: "a[1]*?\\") == "a\\[*]\\*\\?\\\\")
        #expect(PlacedSync.pattern(of: "data") == "data")
        #expect(PlacedSync.literal("run-7/a[1]*") == "run-7/a\\[1]\\*")
    }

    /// diskcache draws the names of its files: of each a sync was missing, and the cure was tried for
    /// one of them, which mended no other, and is not there in the next launch.
    @Test func aPatternIsOfAllDrawnNames() {
        #expect(PlacedSync.pattern(of: "store/1f/ab/0c2de49a77b0.val") == "store/*/*/*.val")
        #expect(PlacedSync.pattern(of: "x/550e8400-e29b-41d4-a716-446655440000") == "x/*-*-*-*-*")
        // Words, not drawn: by their letters, by their length, and beside a number.
        #expect(PlacedSync.pattern(of: "facade/deadbeef") == "facade/deadbeef")
        #expect(PlacedSync.pattern(of: "db/cafe7") == "db/cafe*")
        #expect(PlacedSync.pattern(of: "db/20261128.log") == "db/*.log")
    }

    /// A file that nothing was done to since is not synced again: of a program with many files,
    /// that makes many calls, each launch took minutes.
    @Test func aFileIsSyncedOnceUntilItIsChanged() async throws {
        let program = try TracedProgram()
        let script = """
            cd "$1"; echo a >f1; echo b >g; echo c >g; echo d >>f1; echo e >g; /bin/mv f1 f2; echo f >g
            """
        let sync = PlacedSync(.file, of: "f*", .after, call: "write", on: "*")
        let outcome = try await program.trace(
            ["-c", script, "sh", "{work}"],
            [
                "--under", program.work, "--record", program.place.path("log"), "--sync",
                String(decoding: try JSONEncoder().encode(sync), as: UTF8.self),
            ], command: "/bin/sh")
        #expect(outcome.exitCode == 0, "\(outcome.complaint)")
        let kinds = try program.log.operations.map(\.kind)
        let synced = kinds.count { if case .syncFile = $0 { true } else { false } }
        // After its first write, after the second, and under its new name.
        #expect(synced == 3, "\(kinds)")
    }

    /// Below a folder that is a link, as `results` on another disk, or has signs of patterns in its
    /// name, no sync was made: a right cure failed when it was carried out.
    @Test(arguments: ["link", "a[1]*"]) func syncsAreMadeBelowAnyFolder(name: String) async throws {
        let program = try TracedProgram()
        let (folder, files) = (program.place.path(name), FileManager.default)
        if name == "link" {
            try files.createSymbolicLink(atPath: folder, withDestinationPath: program.work)
        } else {
            try files.createDirectory(atPath: folder, withIntermediateDirectories: false)
        }
        var options = ["--under", folder, "--record", program.place.path("log")]
        for sync in [
            PlacedSync(.file, of: "mov*", .after, call: "rename", on: "moved"),
            PlacedSync(.folder, of: ".", .after, call: "rename", on: "moved"),
        ] {
            options += ["--sync", String(decoding: try JSONEncoder().encode(sync), as: UTF8.self)]
        }
        let outcome = try await program.trace(["kinds", folder], options)
        #expect(outcome.exitCode == 0, "\(outcome.complaint)")
        let kinds = try program.log.operations.map(\.kind)
        let index = try #require(kinds.firstIndex(of: .rename(from: "copy", to: "moved")))
        #expect(
            Array(kinds[index + 1...index + 2]) == [
                .syncFile(file: FileID(2), dataOnly: false), .syncDirectory(path: "."),
            ])
    }

    /// What a program opens for reading as it found it, or misses: not what it has changed before.
    @Test func readsAreNamedInTheirOrder() async throws {
        let program = try TracedProgram()
        for name in ["a", "b"] { try Data("x\n".utf8).write(to: program.place.url("work/\(name)")) }
        let script = """
            cd "$1"; read x <b; read x <gone; : >a; read x <a; : >new; read x <new; read x <b
            """
        func read(_ options: [String]) async throws -> [String]? {
            let outcome = try await program.trace(
                ["-c", script, "sh", "{work}"], ["--under", program.work] + options,
                command: "/bin/sh")
            #expect(outcome.exitCode == 0, "\(outcome.complaint)")
            return try #require(outcome.report).read
        }
        #expect(try await read(["--notes-reads"]) == ["b", "gone"])
        #expect(try await read([]) == nil)
    }

    /// Every recorded call has a name, and a place in the program that made it.
    @Test func everyCallHasAPlaceInItsProgram() async throws {
        let (log, stacks) = try await record(["kinds", "{work}"], stacks: true)
        for operation in log.operations where operation.call != nil {
            let call = try #require(stacks.calls[operation.ordinal], "\(operation.kind)")
            #expect(!call.name.isEmpty)
            #expect(
                call.places.contains { $0.module?.hasSuffix("/FileCaller") == true },
                "\(operation.kind): \(call.places)")
        }
        #expect(try await record(["kinds", "{work}"]).stacks.calls.isEmpty)
    }
}
