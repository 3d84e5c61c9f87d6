import Foundation
import RigModel
import Testing
import TestSupport

/// Stores behind `harness/stores/rig_store.py`: an adapter of some lines is a worker.
@Suite struct StoreAdapterTests {
    private let place = Workplace()

    private static let folder = Checkout.root.path + "/harness/stores"

    private static let commit = #"self.database.execute("COMMIT")"#

    /// The adapter of SQLite with another commit, and its usual journal.
    private static func adapter(commit other: String = Self.commit) throws -> String {
        try Checkout.text(of: "harness/stores/store_sqlite.py")
            .replacing("sys.argv[6]", with: "'DELETE'").replacing("sys.argv[7]", with: "'FULL'")
            .replacing(commit, with: other)
    }

    /// A file that is written through mapped memory; the commit is filled in.
    ///
    /// It holds, for each block, its length, its checksum and its bytes.
    private static func mappedFile(commit: String) -> String {
        """
        import mmap, os, struct, zlib, rig_store

        PLACE = 12 + rig_store.BLOCK

        class Store:
            def open(self, folder):
                file = os.open(folder + "/store", os.O_RDWR | os.O_CREAT)
                os.ftruncate(file, 100 * PLACE)
                os.fsync(file)
                parent = os.open(folder, os.O_RDONLY)
                os.fsync(parent)
                self.memory = mmap.mmap(file, 0)

            def put(self, position, data):
                place = position // rig_store.BLOCK * PLACE
                self.memory[place:place + 12] = struct.pack("<qI", len(data), zlib.crc32(data))
                self.memory[place + 12:place + 12 + len(data)] = data

            def get(self, position):
                place = position // rig_store.BLOCK * PLACE
                length, check = struct.unpack("<qI", self.memory[place:place + 12])
                data = self.memory[place + 12:place + 12 + length] if 0 < length <= PLACE else b""
                return data if data and zlib.crc32(data) == check else None

            def commit(self):
                \(commit)

        rig_store.run(Store())
        """
    }

    private func kill(
        _ adapter: String, iterations: Int, by fault: String = "sigkill", in place: Workplace
    ) async throws -> Programs.Outcome {
        try adapter.save(as: "store.py", in: place)
        return try await kill(
            command: ["python3", place.path("store.py")], iterations: iterations, by: fault,
            in: place)
    }

    private func kill(
        command: [String], iterations: Int, by fault: String = "sigkill", in place: Workplace
    ) async throws -> Programs.Outcome {
        try save(command, bound: [fault: "threshold"], in: place)
        return try await place.killTest(
            "--worker", "./worker.yml", "--video-size", "3MB", "--bandwidth", "16MB/s",
            "--thresholds", "256KB", "--trigger", "bytes", "--iterations", "\(iterations)",
            "--seed", "92", "--fault", fault, "--durability",
            fault == "sigkill" ? "process" : "power")
    }

    /// Writes the profile of a store's program.
    private func save(
        _ command: [String], bound: [String: String]? = nil, in place: Workplace
    ) throws {
        var profile: [String: Any] = [
            "name": "adapter", "witness": true, "environment": ["PYTHONPATH": Self.folder],
            "command": command + ["{url}", "{dir}", "{output}", "{threshold}", "{durability}"],
        ]
        if let bound { profile["bound"] = bound }
        try JSONSerialization.data(withJSONObject: profile).save(as: "worker.yml", in: place)
    }

    @Test func whatAStoreHasCommittedIsFoundAgain() async throws {
        try await kill(Self.adapter(), iterations: 4, in: place).exits(0)
        let rows = try place.rows()
        rows.all { $0.verdict == .pass && $0.boundOK == true }
        rows.all { !$0.notJudged.contains(.durability) }
        #expect(rows.contains { ($0.acknowledgedBytes ?? 0) >= 1 << 20 })
    }

    /// `rig_store.h` does the same for an adapter in C.
    @Test func anAdapterInCIsAWorkerAsWell() async throws {
        let built = place.path("store")
        let compiled = try await Programs.run(
            "/usr/bin/env",
            [
                "cc", "-std=c99", "-O2", "-Wall", "-Wextra", "-pedantic", "-Werror",
                "-I\(Self.folder)/../witness", "-o", built, "\(Self.folder)/store_files.c",
            ], in: place.url)
        try #require(compiled.exitCode == 0, "\(compiled.complaint)")
        try await kill(command: [built], iterations: 4, in: place).exits(0)
        let rows = try place.rows()
        rows.all { $0.verdict == .pass && $0.boundOK == true }
        #expect(rows.contains { ($0.acknowledgedBytes ?? 0) >= 1 << 20 })
    }

    /// TDB was said to lose what it had committed: what a program stores through mapped memory
    /// was not recorded, so a modelled power cut took the whole file.
    @Test func whatIsSyncedThroughMappedMemorySurvivesATornCut() async throws {
        try await kill(
            Self.mappedFile(commit: "self.memory.flush()"), iterations: 4,
            by: "power-cut-torn", in: place
        ).exits(0)
        let rows = try place.rows()
        rows.all { $0.verdict == .pass && $0.boundOK == true }
        #expect(rows.contains { ($0.acknowledgedBytes ?? 0) >= 1 << 20 })
    }

    /// Without the flush, and with one of the first page only, which says nothing of the others.
    @Test(arguments: ["pass", "self.memory.flush(0, mmap.PAGESIZE)"])
    func whatIsNotSyncedThroughMappedMemoryIsMissed(commit: String) async throws {
        let outcome = try await kill(
            Self.mappedFile(commit: commit), iterations: 4, by: "power-cut-torn", in: place)
        #expect(outcome.exitCode == 99, "\(outcome.output)\(outcome.complaint)")
        #expect(try place.rows().contains { $0.checkers.contains(.durability) })
    }

    /// The power is cut after a success, too.
    ///
    /// The completed file had been renamed, and its folder was not synced. So its name was gone, and
    /// a store was blamed in which nothing was wrong.
    @Test func whatAnAdapterCallsDoneSurvivesACut() async throws {
        let spare = """
            import contextlib, os, sys
            with open(sys.argv[2] + "/spare", "w") as spare, contextlib.suppress(OSError):
                os.fsync(spare.fileno())

            """
        try (spare + Self.adapter()).save(as: "store.py", in: place)
        try save(["python3", place.path("store.py")], in: place)
        try await place.killTest(
            "--worker", "./worker.yml", "--trigger", "syscall", "--fault", "call-error", "--error",
            "fsync-eio", "--after-fsync", "ext4", "--on", "spare", "--at", "1", "--iterations",
            "2", "--video-size", "1MB", "--durability", "power", "--seed", "97", exits: 0)
        try place.rows(2).all {
            $0.verdict == .pass && $0.failedCall?.hasSuffix("exit code 0") == true
        }
    }

    /// SQLite answers with the mode that it keeps, and reports no error: another journal than that of
    /// the profile was judged by its promise.
    @Test func aJournalThatSQLiteRefusesIsAnError() async throws {
        try await Programs.run(
            "/usr/bin/env",
            [
                "python3", "\(Self.folder)/store_sqlite.py", "http://127.0.0.1:1/video",
                place.path("."), place.path("output"), "512KB", "power", "NONE", "FULL",
            ], in: place.url, exits: 1, complains: "SQLite keeps journal_mode = delete")
    }

    /// A store that returns from its commit and has committed nothing.
    @Test func aStoreThatLiesAboutItsCommitIsCaught() async throws {
        try await kill(Self.adapter(commit: "pass"), iterations: 2, in: place).exits(99)
        #expect(try place.rows().contains { $0.reason.contains("durability:") })
    }

    /// A store that gives back other bytes than were put.
    @Test func aStoreThatChangesBytesIsRefused() async throws {
        let wrong = try Self.adapter()
            .replacing("(position, data))", with: "(position, data[:-1] + b'?'))")
        let outcome = try await kill(wrong, iterations: 2, in: place)
        // It is refused before the first kill: without one the file is already wrong.
        #expect(outcome.exitCode == 69, "\(outcome.output)\(outcome.complaint)")
    }
}
