import Testing

@testable import VideoCache

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// What the journal says of the last transaction, and when its note is ignored.
@Suite("A journal's note is believed only whole, and for as long as it can be true (B5)")
struct IntentLogTests {
    private let folder: TemporaryFolder
    private let range = ByteRange(offset: 4096, length: 512)

    init() throws { folder = try TemporaryFolder() }

    private var path: String { folder.file("journal") }

    private func journal(
        start: UInt8 = 1, life: UInt8 = 1, _ durability: Durability = .process
    ) throws -> IntentLog {
        try IntentLog(
            path: path, durability: durability, isWritten: true,
            system: FileSystem(
                start: { [start] }, place: { _ in [7] }, life: { _ in [life] }))
    }

    private func note() throws {
        try journal().write(Doubt(ranges: [(3, range)]), isOfThisLife: true)
    }

    @Test("what was noted is read")
    func whole() throws {
        try note()
        let entry = try #require(try journal().read())
        #expect(entry.doubt.ranges.count == 1)
        #expect(entry.doubt.ranges.first?.video == 3 && entry.doubt.ranges.first?.range == range)
        #expect(entry.isOfThisStart && entry.isOfThisLife)
        #expect(entry.tellsAll(atLaunch: true) && entry.tellsAll(atLaunch: false))
    }

    @Test("a note of which any word is another's is none", arguments: 0..<10)
    func torn(word: Int64) throws {
        try note()
        let file = try OpenFile(path, O_RDWR)
        #expect(file.size == 80)
        var byte = try #require(try file.read(ByteRange(offset: word * 8, length: 1)))
        byte[0] ^= 1
        try byte.withUnsafeBytes { try file.write($0, at: word * 8) }
        #expect(try journal().read() == nil)
    }

    @Test("a note that is cut short is none", arguments: [0, 8, 48, 72, 79])
    func short(size: Int64) throws {
        try note()
        try OpenFile(path, O_RDWR).truncate(to: size)
        #expect(try journal().read() == nil)
    }

    @Test("after a start of the machine later notes may be lost, and one names not all")
    func earlierStart() throws {
        try note()
        let entry = try #require(try journal(start: 2, life: 2).read())
        #expect(!entry.isOfThisStart && !entry.isOfThisLife)
        #expect(!entry.tellsAll(atLaunch: true) && !entry.tellsAll(atLaunch: false))
        #expect(entry.trust == .none)
    }

    /// A disk may lose unsynced notes in a remount, too, and with `power` the rows of later changes
    /// stay.
    @Test("a launch on another mount believes no note that was written with power")
    func otherMount() throws {
        for (durability, isBelieved) in [(Durability.process, true), (.power, false)] {
            try journal(durability).write(Doubt(ranges: [(3, range)]), isOfThisLife: true)
            let here = try #require(try journal().read())
            #expect(here.tellsAll(atLaunch: true))
            let there = try #require(try journal(life: 2).read())
            #expect(there.tellsAll(atLaunch: true) == isBelieved)
            #expect(there.tellsAll(atLaunch: false))
        }
    }

    @Test("in a copy, or after a remount, it is of another life")
    func otherLife() throws {
        try note()
        let entry = try #require(try journal(life: 2).read())
        #expect(entry.isOfThisStart && !entry.isOfThisLife)
        #expect(entry.trust == .none)
    }
}
