import HandmadeLogs
import RigModel
import Testing

@testable import StorageModel

/// A folder that a real cut has left is looked for among the states of a long log.
@Suite struct MembershipTests {
    struct Case: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let log: StorageLog
        let disk: DiskModel
    }

    private static let cases = (DiskModelTests.lost + DiskModelTests.kept).flatMap { row in
        row.disks.filter { $0 != .posix && $0 != .garbage }.map {
            Case(
                testDescription: "\(row.testDescription) on \($0.rawValue)", log: row.log.log,
                disk: $0)
        }
    }

    /// Every state of a short log is found to be one, as if a real cut had left it.
    @Test(arguments: cases) func everyStateIsOne(of item: Case) throws {
        let replay = try StorageReplay(of: item.log, on: item.disk)
        let images = try #require(try AllCrashStates.images(of: item.log, on: item.disk))
        for image in images {
            #expect(replay.objection(to: FoundFolder(image)) == nil, "\(image.text)")
        }
    }

    /// What no cut leaves is found: a byte that was never written, a name that was never given.
    @Test(arguments: cases) func whatNoCutLeavesIsNone(of item: Case) throws {
        let replay = try StorageReplay(of: item.log, on: item.disk)
        let images = try #require(try AllCrashStates.images(of: item.log, on: item.disk))
        for image in images {
            let found = FoundFolder(image)
            var items = found.items
            items["other"] = .folder
            let named = FoundFolder(items: items, contents: found.contents)
            #expect(replay.objection(to: named)?.hasPrefix("the name ") == true, "\(image.text)")
            guard let (path, content) = found.contents.first(where: { $0.value.size > 0 }) else {
                continue
            }
            var contents = found.contents
            contents[path] = content.with(UInt8(ascii: "z"), at: content.size - 1)
            #expect(
                replay.objection(
                    to: FoundFolder(items: items.filter { $0.key != "other" }, contents: contents))
                    == "the content of \(path)", "\(image.text)")
        }
    }

    /// A planted mistake: a model of ext4 in which lengths come with their data, as those of XFS do.
    @Test func anotherDisksStateIsNone() throws {
        let row = try #require(
            DiskModelTests.lost.first { $0.testDescription.hasPrefix("A1: appended inside") })
        let images = try #require(try AllCrashStates.images(of: row.log.log, on: .ext4))
        let zeros = try #require(images.first { $0.text == "f=A100+0100" })
        let replay = try StorageReplay(of: row.log.log, on: .xfs)
        #expect(replay.objection(to: FoundFolder(zeros)) == "the content of f")
    }

    /// Of a long log: single sectors of what was overwritten may be new, and no others.
    @Test func aLongLogIsNotListed() throws {
        var log = LogByHand().existing("f", String(repeating: "a", count: 800))
        for number in 0..<100 { log = log.write("f", "bcd", at: Int64(number * 8)) }
        let replay = try StorageReplay(of: log.log, on: .ext4)
        var content = SparseBytes()
        content.write(LogByHand.sectors(String(repeating: "a", count: 800)), at: 0)
        for number in stride(from: 0, to: 100, by: 3) {
            content.write(LogByHand.sectors("c"), at: Int64(number * 8 + 1) * LogByHand.sector)
        }
        func objection() -> String? {
            replay.objection(
                to: FoundFolder(items: ["f": .file(size: content.size)], contents: ["f": content]))
        }
        #expect(objection() == nil)
        content.write(LogByHand.sectors("b"), at: 9 * LogByHand.sector)
        #expect(objection() == "the content of f")
    }
}

extension FoundFolder {
    /// An image as a folder that was found.
    init(_ image: CrashImage) {
        var items: [String: FoundFolder.Item] = [:]
        var contents: [String: SparseBytes] = [:]
        for (path, node) in image.names.nodes {
            switch node {
            case .folder: items[path] = .folder
            case .symbolicLink(let target): items[path] = .link(target: target)
            case .file(let file):
                let content = image.contents[file] ?? SparseBytes()
                items[path] = .file(size: content.size)
                contents[path] = content
            }
        }
        self.init(items: items, contents: contents)
    }
}

extension SparseBytes {
    fileprivate func with(_ byte: UInt8, at offset: Int64) -> Self {
        var content = self
        content.write([byte], at: offset)
        return content
    }
}
