import HandmadeLogs
import RigModel
import Testing

@testable import StorageModel

/// The states of a sweep, held against every state of short programs.
@Suite struct SweepTests {
    private static let logs = (DiskModelTests.lost + DiskModelTests.kept).map(\.log)
    private static let journals: [DiskModel] = [.ext4, .xfs, .btrfs]

    private func sweep(_ log: LogByHand, on disk: DiskModel, most: Int = 10_000, seed: UInt64 = 5)
        throws -> (images: [CrashImage], coverage: SweepCoverage)
    {
        var sweep = CrashSweep(of: try StorageReplay(of: log.log, on: disk), seed: seed, most: most)
        var images: [CrashImage] = []
        while images.count < most, let image = sweep.next() { images.append(image) }
        return (images, sweep.coverage)
    }

    /// What is tried is something that the disk can leave, of each kind of case.
    @Test(arguments: journals + [.posix]) func everyStateIsOneOfTheDisk(disk: DiskModel) throws {
        for log in Self.logs {
            let replay = try StorageReplay(of: log.log, on: disk)
            let all = try #require(AllCrashStates.texts(after: replay))
            let cases = SweepCases(of: replay, seed: 5)
            for number in 0..<cases.count {
                for decisions in cases.decisions(of: cases[number]) {
                    let image = replay.state(deciding: decisions)
                    // The list of all has whole pages; sectors are looked for one by one.
                    let isOne =
                        all.contains(image.text)
                        || disk.hasJournal && replay.objection(to: FoundFolder(image)) == nil
                        || disk == .posix && cases.tearsPages(number)
                    #expect(isOne, "\(disk), \(cases[number]): \(image.text)")
                }
            }
        }
    }

    @Test(arguments: DiskModel.allCases) func noStateComesTwice(disk: DiskModel) throws {
        for log in Self.logs {
            let found = try sweep(log, on: disk)
            let texts = found.images.map(\.text)
            // What spoiled sectors hold is not in the text.
            #expect(Set(texts).count == texts.count || disk == .garbage, "\(disk): \(texts)")
            #expect(found.coverage.tried == found.coverage.cases)
        }
    }

    @Test(arguments: journals + [.posix]) func eachCaseHasItsNumber(disk: DiskModel) throws {
        for log in Self.logs {
            let cases = SweepCases(of: try StorageReplay(of: log.log, on: disk), seed: 5)
            var seen: Set<SweepCases.Case> = []
            for number in 0..<cases.count {
                #expect(cases.number(of: cases[number]) == number)
                #expect(seen.insert(cases[number]).inserted, "\(cases[number])")
            }
        }
    }

    private static let empty = LogByHand()
    private static let old = empty.fileOf("f", "A", 8192)
    private static let replaced = old.create("t").fill("t", "B", 0, 8192).rename("t", to: "f")
    private static let pages = empty.fileOf("f", "A", 12288).fileOf("g", "A", 4096)
        .fill("f", "B", 0, 4096).fill("f", "C", 4096, 4096).fill("g", "D", 0, 4096)

    /// A rename on the disk without the data that was written before it: no sync lies between.
    @Test(arguments: [
        (DiskModel.ext4, "f=08192"), (.xfs, "f=empty"), (.btrfs, "f=empty"), (.posix, "f=empty"),
    ]) func aRenameComesWithoutItsData(disk: DiskModel, text: String) throws {
        let texts = Set(try sweep(Self.replaced, on: disk).images.map(\.text))
        #expect(texts.isSuperset(of: [text, "f=B8192", "f=A8192"]), "\(texts.sorted())")
    }

    /// A write on the disk without an earlier one: of the same file, and of another.
    @Test(arguments: journals + [.posix])
    func aLaterWriteComesWithoutAnEarlierOne(disk: DiskModel) throws {
        let texts = Set(try sweep(Self.pages, on: disk).images.map(\.text))
        let named = [
            // One omission each.
            "f=A4096+C4096+A4096 g=D4096", "f=B4096+A8192 g=D4096", "f=B4096+C4096+A4096 g=A4096",
            // The second write of the file alone, and none at all.
            "f=A4096+C4096+A4096 g=A4096", "f=A12288 g=A4096",
        ]
        #expect(texts.isSuperset(of: named), "\(disk): \(texts.sorted())")
    }

    /// The same where the earlier write was over one that was not synced either: the kernel wrote
    /// that one before, and the later one afterwards.
    @Test(arguments: journals) func ofAFileThatWasNeverSynced(disk: DiskModel) throws {
        let log = Self.empty.create("f").syncFolder().fill("f", "A", 0, 4096)
            .fill("f", "C", 0, 4096).fill("f", "B", 4096, 4096)
        let texts = Set(try sweep(log, on: disk).images.map(\.text))
        #expect(texts.isSuperset(of: ["f=A4096+B4096", "f=C4096+B4096"]), "\(texts.sorted())")
        let torn = try sweep(log, on: disk).images.contains { image in
            let content = image.letters("f")
            return content.hasPrefix("CA") && content.hasSuffix("B")
        }
        #expect(torn == (disk != .btrfs))
    }

    /// A sector, a page and a half are missing, each by itself; btrfs writes blocks elsewhere.
    @Test func anOverwritingIsTorn() throws {
        let log = Self.empty.existing("f", String(repeating: "a", count: 16))
            .write("f", String(repeating: "b", count: 16))
        func letters(on disk: DiskModel) throws -> Set<String> {
            Set(try sweep(log, on: disk).images.map { $0.letters("f") })
        }
        let torn = (0..<16).map { missing in
            String((0..<16).map { $0 == missing ? "a" : "b" } as [Character])
        }
        let pages = ["aaaaaaaabbbbbbbb", "bbbbbbbbaaaaaaaa"]
        let whole = ["aaaaaaaaaaaaaaaa", "bbbbbbbbbbbbbbbb"]
        for disk in [DiskModel.ext4, .xfs, .posix] {
            #expect(try letters(on: disk) == Set(torn + pages + whole), "\(disk)")
        }
        #expect(try letters(on: .btrfs).isSuperset(of: pages + whole))
        #expect(try letters(on: .btrfs).isDisjoint(with: torn))
    }

    /// With every sync nothing is open, and without the folder's the old file or the new one is
    /// there.
    @Test(arguments: journals + [.posix]) func theCureLeavesWhatItShould(disk: DiskModel) throws {
        let synced = Self.old.create("t").fill("t", "B", 0, 8192).fsync("t").rename("t", to: "f")
        let whole = try sweep(synced.syncFolder(), on: disk)
        #expect(whole.images.map(\.text) == ["f=B8192"])
        let texts = Set(try sweep(synced, on: disk).images.map(\.text))
        let all = try #require(
            AllCrashStates.texts(after: try StorageReplay(of: synced.log, on: disk)))
        #expect(texts.isSubset(of: all) && texts.isSuperset(of: ["f=B8192"]))
        #expect(texts.allSatisfy { $0.contains("f=A8192") || $0.contains("f=B8192") })
        if disk != .posix { #expect(texts == ["f=B8192", "f=A8192 t=B8192"]) }
    }

    private static let many = (0..<40).reduce(empty.fileOf("f", "A", 4096).fileOf("g", "A", 4096)) {
        $0.fill($1 % 4 == 3 ? "g" : "f", "B", Int64($1) * 64, 64)
    }.create("t").rename("t", to: "u")

    @Test(arguments: journals + [.posix]) func aLimitIsKeptAndSaid(disk: DiskModel) throws {
        let few = try sweep(Self.many, on: disk, most: 12)
        #expect(few.images.count == 12)
        #expect(few.coverage.tried < few.coverage.cases)
        let all = try sweep(Self.many, on: disk)
        #expect(all.coverage == SweepCoverage(cases: few.coverage.cases, tried: few.coverage.cases))
        #expect(all.images.count > 12)
        #expect(all.images.starts(with: few.images))
    }

    /// The first states are one of each kind, not neighbours.
    @Test func eachKindComesFirst() throws {
        let replay = try StorageReplay(of: Self.many.log, on: .posix)
        let cases = SweepCases(of: replay, seed: 5)
        let first = cases.representatives(in: replay, places: [:]).map { cases[$0] }
        #expect(first.first == .prefix(42))
        #expect(first.count < 60)
        #expect(first.contains { if case .omission = $0 { true } else { false } })
        #expect(
            first.contains { one in if case .name = cases.tear(of: one) { true } else { false } })
        let pairs = first.compactMap { one -> (Int, Int)? in
            guard case .pair(let kept, let lost) = one else { return nil }
            return (kept, lost)
        }
        // Operations 3, 7, … are of the other file.
        #expect(pairs.contains { $0 % 4 == 3 && $1 % 4 != 3 && $0 < 40 })
        #expect(pairs.contains { $0 % 4 != 3 && $1 % 4 != 3 && $0 < 40 })
    }

    /// Of writes of one kind to one file, one that the program makes elsewhere stands for itself.
    @Test func eachPlaceOfTheProgramComesFirst() throws {
        let replay = try StorageReplay(of: Self.many.log, on: .posix)
        let cases = SweepCases(of: replay, seed: 5)
        func isOmittedFirst(_ index: Int, _ places: [Int: [StackPlace]]) -> Bool {
            cases.representatives(in: replay, places: places)
                .contains(cases.number(of: .omission(index)))
        }
        func place(_ offset: UInt64) -> [StackPlace] { [.code(module: "get", offset: offset)] }
        let ordinals = cases.operations.map(\.ordinal)
        var places = Dictionary(uniqueKeysWithValues: ordinals.map { ($0, place(16)) })
        #expect(!isOmittedFirst(17, places))
        places[ordinals[17]] = place(32)
        #expect(isOmittedFirst(17, places))
    }

    @Test func theSeedDecidesTheOrder() throws {
        let (one, same) = (try sweep(Self.many, on: .ext4), try sweep(Self.many, on: .ext4))
        #expect(one.images == same.images)
        let other = try sweep(Self.many, on: .ext4, seed: 6)
        #expect(one.images != other.images)
        #expect(Set(one.images.map(\.text)) == Set(other.images.map(\.text)))
    }

    /// The states of a run are those of the sweep.
    @Test func aRunTriesTheSweep() throws {
        let replay = try StorageReplay(of: Self.pages.log, on: .ext4)
        var states = CrashStates(after: replay, seed: 5, .sweep(most: 100))
        var images: [CrashImage] = []
        while let image = states.next() {
            images.append(image)
            #expect(replay.state(deciding: try #require(states.decisions)) == image)
        }
        #expect(images == (try sweep(Self.pages, on: .ext4, most: 100).images))
        #expect(states.coverage?.tried == states.coverage?.cases)
        var drawn = CrashStates(after: replay, seed: 5)
        let image = drawn.next()
        #expect(replay.state(deciding: try #require(drawn.decisions)) == image)
        #expect(drawn.coverage == nil)
    }
}

extension SweepCases {
    fileprivate func tear(of one: Case) -> Tear? {
        if case .tear(let index, let number) = one { operations[index].tears[number] } else { nil }
    }

    /// Whether less than a page is missing, which the list of all states does not have.
    fileprivate func tearsPages(_ number: Int) -> Bool {
        if case .data(_, let unit) = tear(of: self[number]) { unit != .page } else { false }
    }
}
