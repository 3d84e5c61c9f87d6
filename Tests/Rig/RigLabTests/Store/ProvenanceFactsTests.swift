import Foundation
import RigModel
import Testing
import TestSupport

@testable import RigLab

/// The commit is known only for a program that was built from it.
@Suite(
    .enabled("git is not installed") {
        FileManager.default.isExecutableFile(atPath: "/usr/bin/git")
    })
struct ProvenanceFactsTests {
    /// A checkout with a program built after its sources were written.
    private func withCheckout(_ body: (URL, _ rig: String) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("provenance-\(UUID())").resolvingSymlinksInPath()
        defer { try? FileManager.default.removeItem(at: folder) }
        for (path, age) in [
            ("Package.swift", 60.0), ("Sources/Rig/rig/A.swift", 60),
            ("Sources/Rig/RigProfiles/profiles/curl.yml", 60), (".build/debug/rig", 0),
        ] {
            try write("text of \(path)", to: folder.appendingPathComponent(path), age: age)
        }
        try write(".build/", to: folder.appendingPathComponent(".gitignore"))
        for words in [["init", "-q"], ["add", "."], ["commit", "-q", "-m", "one"]] {
            let git = ["git", "-c", "user.name=a", "-c", "user.email=a@b", "-C", folder.path]
            let (status, said) = try Tool.run(git + words)
            try #require(status == 0, "\(said)")
        }
        try await body(folder, folder.appendingPathComponent(".build/debug/rig").path)
    }

    private func write(_ text: String, to file: URL, age: Double = 0) throws {
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: file)
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSinceNow: -age)], ofItemAtPath: file.path)
    }

    @Test func aProgramBuiltFromACommitIsOfIt() async throws {
        try await withCheckout { _, rig in
            let found = await ProvenanceFacts.read(rig: rig, worker: [:])
            #expect(found.commit.count == 40 && found.tree == .clean && found.note == nil)
            #expect(found.programs.keys.sorted() == ["rig"])
        }
    }

    @Test(arguments: ["README.md", "harness/new.sh", "Sources/Rig/rig/A.swift"])
    func aChangedTreeIsSaid(path: String) async throws {
        try await withCheckout { folder, rig in
            // As old as the other files: the program was built with the change.
            try write("changed", to: folder.appendingPathComponent(path), age: 60)
            #expect(await ProvenanceFacts.read(rig: rig, worker: [:]).tree == .changed)
        }
    }

    @Test func resultsAreNoChange() async throws {
        try await withCheckout { folder, rig in
            try write("a", to: folder.appendingPathComponent("results/reference/a.csv"))
            #expect(await ProvenanceFacts.read(rig: rig, worker: [:]).tree == .clean)
        }
    }

    /// A program that was not rebuilt since a change does not belong to the current commit.
    @Test(arguments: [
        "Sources/Rig/rig/A.swift", "Package.swift", "Sources/Rig/RigProfiles/profiles/curl.yml",
    ])
    func aProgramOlderThanASourceIsOfNoKnownCommit(path: String) async throws {
        try await withCheckout { folder, rig in
            try write("text of \(path)", to: folder.appendingPathComponent(path), age: -60)
            let found = await ProvenanceFacts.read(rig: rig, worker: [:])
            #expect(found.commit == Provenance.unknown && found.tree == .unknown)
            #expect(found.note?.contains(path) == true)
        }
    }

    @Test func aProgramOutsideACheckoutIsOfNoKnownCommit() async throws {
        let found = await ProvenanceFacts.read(rig: "/bin/sh", worker: ["cat": "/bin/cat"])
        #expect(found.commit == Provenance.unknown)
        #expect(found.note == "rig lies in no checkout of its sources")
        #expect(found.programs.keys.sorted() == ["cat", "rig"])
    }

    /// It lies in no checkout, but was stamped when the package was made.
    @Test func aProgramOfAPackageSaysItsCommitItself() async throws {
        let commit = String(repeating: "ab", count: 20)
        let found = await ProvenanceFacts.read(
            rig: "/bin/sh", worker: ["cat": "/bin/cat"], stamp: commit)
        #expect(found.commit == commit && found.tree == .clean && found.note == nil)
        #expect(found.programs.keys.sorted() == ["cat", "rig"])
    }

    /// The values of xxh128sum.
    @Test func aDigestIsThatOfTheBytes() async throws {
        try await withCheckout { folder, _ in
            let file = folder.appendingPathComponent("a")
            try write("abc", to: file)
            #expect(
                ProvenanceFacts.digest(of: file.path) == "xxh128:06b05ab6733a618578af5f94892f3950")
            try write("", to: file)
            #expect(
                ProvenanceFacts.digest(of: file.path) == "xxh128:99aa06d3014798d86001c324468d497f")
            #expect(ProvenanceFacts.digest(of: "/no/such/program") == nil)
            let digests = ProvenanceFacts.digests(rig: file.path, worker: ["w": "/no/such"])
            #expect(digests["w"] == Provenance.unknown)
        }
    }
}
