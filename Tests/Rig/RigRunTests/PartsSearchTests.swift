import Foundation
import RigLab
import RigModel
import Testing

@testable import RigRun

struct PartsSearchTests {
    private let runs: RunsFolder

    init() throws { runs = try RunsFolder() }

    private func storePart(_ index: Int, of count: Int, at name: String) throws {
        var part = try settings()
        part.partition = RunPartition(index: index, of: count)
        try runs.store(name, part)
    }

    private func found(_ folders: [String]) throws -> PartsSearch {
        try PartsSearch(folders.map { "\(runs.path)/\($0)" }, console: silence)
    }

    private func names(_ search: PartsSearch) -> [String] {
        search.parts.map { String($0.folder.path.dropFirst(runs.path.count + 1)) }
    }

    @Test func partsAreFoundTwoLevelsBelow() throws {
        try storePart(1, of: 3, at: "all/part-1-of-3")
        try storePart(2, of: 3, at: "all/upload/part-2-of-3")
        try storePart(3, of: 3, at: "all/one/more/part-3-of-3")
        let search = try found(["all/"])
        #expect(Set(names(search)) == ["all/part-1-of-3", "all/upload/part-2-of-3"])
        #expect(search.named.isEmpty && search.unfinished.isEmpty)
    }

    @Test func aPartThatIsNamedTwiceIsOnePart() throws {
        try storePart(1, of: 1, at: "all/part-1-of-1")
        let search = try found(["all", "all/part-1-of-1"])
        #expect(names(search) == ["all/part-1-of-1"])
        #expect(search.named == ["\(runs.path)/all/part-1-of-1"])
    }

    @Test func anUnfinishedPartIsNamedAndNotUsed() throws {
        let partition = try #require(RunPartition(index: 1, of: 2))
        let part = try PartFolder(partition, in: "\(runs.path)/all", runID: "run-1")
        let name = (part.unfinished.path as NSString).lastPathComponent
        try storePart(1, of: 2, at: "all/\(name)")
        try storePart(2, of: 2, at: "all/part-2-of-2")
        let search = try found(["all"])
        #expect(names(search) == ["all/part-2-of-2"])
        #expect(search.unfinished == ["\(runs.path)/all/\(name)"])
    }

    @Test func aWholeRunIsNoPart() throws {
        try runs.store("all/whole", settings())
        try storePart(1, of: 1, at: "all/part-1-of-1")
        #expect(try names(found(["all"])) == ["all/part-1-of-1"])
        let message = refusal(.data) { _ = try found(["all/whole"]) }
        #expect(message?.contains("nothing to be merged with") == true, "\(message ?? "")")
    }
}
