import Foundation
import RigModel
import Testing

@testable import RigLab

/// A folder has the part's name only if the part is complete.
struct PartFolderTests {
    private let place: TemporaryFolder

    init() throws { place = try TemporaryFolder() }

    private func third() throws -> RunPartition { try #require(RunPartition(index: 3, of: 8)) }

    @Test func aPartGetsItsNameOnceItIsWhole() throws {
        let part = try PartFolder(try third(), in: place.file("parts"), runID: "r")
        #expect(part.unfinished.path == place.file("parts/.part-3-of-8.r.partial"))
        try part.unfinished.write("rows", to: "iterations.csv")
        try FileManager.default.createDirectory(
            atPath: part.unfinished.path + "/evidence/x", withIntermediateDirectories: true)
        try part.unfinished.write("kept", to: "evidence/x/plan.json")
        #expect(part.finished == nil)
        let finished = try #require(try part.finish())
        #expect(finished.path == place.file("parts/part-3-of-8"))
        #expect(try finished.text(of: "evidence/x/plan.json") == "kept")
        #expect(try FileManager.default.contentsOfDirectory(atPath: place.file("parts")).count == 1)
    }

    /// Two rigs run one part: the first result stays, the second rig is told.
    @Test func whatIsThereIsNotReplaced() throws {
        let parts = try ["one", "two"].map {
            let part = try PartFolder(try third(), in: place.path, runID: $0)
            try part.unfinished.write($0, to: "who")
            return part
        }
        #expect(try parts[0].finish() != nil)
        #expect(try parts[1].finish() == nil)
        #expect(try parts[1].finished?.text(of: "who") == "one")
        parts[1].discard()
        #expect(!FileManager.default.fileExists(atPath: parts[1].unfinished.path))
    }

    @Test func anUnfinishedPartIsKnownByItsName() throws {
        let part = try PartFolder(try third(), in: place.path, runID: "r")
        let again = PartFolder(unfinished: part.unfinished, partition: try third())
        #expect(again?.path == place.file("part-3-of-8"))
        try FileManager.default.createDirectory(
            atPath: place.file("mine"), withIntermediateDirectories: true)
        let other = try RunFolder(existing: place.file("mine"))
        #expect(PartFolder(unfinished: other, partition: try third()) == nil)
    }

    @Test func evidenceIsReplacedAsAWhole() throws {
        func folder(_ name: String, _ kills: [String]) throws -> RunFolder {
            let folder = try RunFolder(creating: place.file(name))
            for kill in kills {
                try FileManager.default.createDirectory(
                    atPath: "\(folder.path)/evidence/\(kill)", withIntermediateDirectories: true)
                try folder.write(name, to: "evidence/\(kill)/who")
            }
            return folder
        }
        let whole = try folder("whole", ["stale"])
        let parts = [
            try folder("one", ["a"]), try folder("two", []), try folder("three", ["b", "c"]),
        ]
        try whole.replaceEvidence(from: parts) { _ in ["replay.txt": "anew"] }
        let kept = try FileManager.default.contentsOfDirectory(atPath: whole.path + "/evidence")
        #expect(kept.sorted() == ["a", "b", "c"])
        #expect(try whole.text(of: "evidence/c/who") == "three")
        #expect(try whole.text(of: "evidence/c/replay.txt") == "anew")
        #expect(try parts[2].text(of: "evidence/c/replay.txt") == nil)
        try whole.replaceEvidence(from: []) { _ in [:] }
        #expect(try whole.subfolders().isEmpty)
    }
}
