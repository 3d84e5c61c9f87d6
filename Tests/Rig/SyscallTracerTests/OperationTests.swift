import Foundation
import StorageModel
import SyscallTracer
import TestSupport
import Testing

/// Each operation of a program as it stands in the log.
///
/// What was written by `io_submit` was not: after a power cut by the model such a file was empty,
/// whatever had been synced (B4).
@Suite struct OperationTests {
    private static let (file, other) = (FileID(1), FileID(2))

    private static func write(
        _ file: FileID, _ offset: Int64, _ text: String
    ) -> StorageOperation.Kind { .write(file: file, offset: offset, bytes: Array(text.utf8)) }

    private static func set(_ attributes: FileAttributes) -> StorageOperation.Kind {
        .attributes(file: file, attributes, isInitial: false)
    }

    private static let copied: [StorageOperation.Kind] = [
        .create(path: "copy", file: other), write(file, 0, "abc"), write(other, 0, "abc"),
    ]

    private static let copySynced = StorageOperation.Kind.syncRange(
        file: other, offset: 0, length: 3)

    /// What follows on the creation of the file, by the name of the call.
    private static let operations: [(name: String, kinds: [StorageOperation.Kind])] = [
        (
            "io_submit",
            [write(file, 0, "abc"), write(file, 3, "def"), .syncFile(file: file, dataOnly: false)]
        ), ("io_submit, part", [write(file, 0, "abc")]),
        (
            "io_submit, synced",
            [write(file, 0, "abc"), .syncRange(file: file, offset: 0, length: 3)]
        ),
        // When a request to sync is done, no call tells.
        ("io_submit, sync", [.unseen("a sync by io_submit"), write(file, 0, "abc")]),
        ("RWF_DSYNC", [write(file, 1, "def"), .syncRange(file: file, offset: 1, length: 3)]),
        ("RWF_APPEND", [write(file, 0, "abc"), write(file, 3, "def")]),
        ("copy_file_range", copied), ("sendfile", copied), ("FICLONE", copied),
        // It returns when the bytes are on the disk, as a write does (`generic_write_sync`).
        ("copy_file_range, synced", copied + [copySynced]),
        ("sendfile, synced", copied + [copySynced]),
        ("splice", [write(file, 1, "abc")]),
        (
            "O_TMPFILE",
            [
                .create(path: "", file: other), write(other, 0, "abc"),
                .link(file: other, path: "named"),
            ]
        ), ("RENAME_EXCHANGE", [.makeDirectory(path: "other"), .exchange("file", "other")]),
        (
            "modes",
            [
                set(FileAttributes(mode: 0o755)), .create(path: "key", file: other),
                .attributes(file: other, FileAttributes(mode: 0o600), isInitial: true),
                .attributes(file: other, FileAttributes(mode: 0o400), isInitial: false),
                .makeDirectory(path: "private"),
                .folderAttributes(path: "private", FileAttributes(mode: 0o700)),
                .folderAttributes(path: "private", FileAttributes(mode: 0o750)),
            ]
        ),
        // What is written sets the time anew.
        (
            "times",
            [
                set(FileAttributes(mode: 0o644, modified: .init(seconds: 7, nanoseconds: 8))),
                set(FileAttributes(mode: 0o600, modified: .init(seconds: 7, nanoseconds: 8))),
                set(FileAttributes(mode: 0o600, modified: .init(seconds: 9, nanoseconds: 8))),
                write(file, 0, "abc"), set(FileAttributes(mode: 0o644)),
            ]
        ),
        (
            "attributes",
            [
                set(FileAttributes(mode: 0o644, extended: ["user.tag": Array("ab".utf8)])),
                set(
                    FileAttributes(
                        mode: 0o644, extended: ["user.tag": Array("ab".utf8), "user.other": []])),
                set(FileAttributes(mode: 0o644, extended: ["user.other": []])),
            ]
        ),
        // The tracer died of two names that are no UTF-8.
        (
            "attributes, alike",
            [
                set(FileAttributes(mode: 0o644, extended: ["user.\u{fffd}": []])),
                set(FileAttributes(mode: 0o644, extended: ["user.\u{fffd}": []])),
            ]
        ),
        (
            "owners",
            [
                set(FileAttributes(mode: 0o644, owner: 5, group: 6)),
                set(FileAttributes(mode: 0o644, owner: 7, group: 6)),
            ]
        ),
        // Not the first of two descriptors.
        ("close", [.openTruncate(file: file), write(file, 0, "abc"), .closed(file: file)]),
    ]

    @Test(arguments: operations)
    func isInTheLog(name: String, kinds: [StorageOperation.Kind]) async throws {
        let program = try TracedProgram()
        let outcome = try await program.record(["call", "{work}", name])
        // Only some file systems share blocks, or have attributes, and only root gives files away.
        guard outcome.exitCode != 77 else {
            let others = ["FICLONE", "attributes", "attributes, alike", "owners"]
            return #expect(others.contains(name))
        }
        #expect(outcome.exitCode == 0, "\(outcome.complaint)")
        let log = try program.log.operations
        #expect(log.map(\.kind) == [.create(path: "file", file: Self.file)] + kinds)
        #expect(log.allSatisfy { $0.returned })
    }
}
