import Glibc
import Testing
@testable import VideoCache

/// What the intent log says of the last change, and when its record is ignored.
@Suite("A record is believed only whole, and for as long as it can be true (B5)")
struct IntentLogTests {
    private let folder = TemporaryFolder()
    private let intents = Intents(extents: [
        Extent(video: 3, range: ByteRange(offset: 4096, length: 512))
    ])

    private var path: String { folder.file("journal") }

    private func log(
        boot: UInt8 = 1, mount: UInt8 = 1, _ durability: Durability = .process
    ) throws -> IntentLog {
        try IntentLog(
            path: path, durability: durability, isWritten: true,
            system: FileSystem(boot: { [boot] }, identity: { _ in [7] }, mounted: { _ in [mount] }))
    }

    private func write() throws { try log().write(intents, trust: .thisEpoch) }

    @Test("what was logged is read")
    func whole() throws {
        try write()
        let record = try log().read()
        #expect(record.intents == intents && record.trust == .thisEpoch)
        #expect(record.namesAll(atLaunch: true) && record.namesAll(atLaunch: false))
    }

    @Test("each record has another number, also after one that is torn")
    func numbers() throws {
        let first = try log().write(intents, trust: .thisEpoch)
        let second = try log().write(intents, trust: .thisEpoch)
        #expect(try log().read().number == second)
        try OpenFile.write([0], at: 0, to: path)
        #expect(try log().read().number == nil)
        let third = try log().write(intents, trust: .thisEpoch)
        #expect(Set([first, second, third]).count == 3)
    }

    @Test("a record of which any word is another's is none", arguments: 0..<10)
    func torn(word: Int64) throws {
        try write()
        #expect(try OpenFile(path, O_RDWR).size == 80)
        try OpenFile.damage(path, at: word * 8)
        let record = try log().read()
        #expect(record.intents.isEverything && record.trust == .none)
    }

    @Test("a record that is cut short is none", arguments: [0, 8, 48, 72, 79])
    func short(size: Int64) throws {
        try write()
        try OpenFile(path, O_RDWR).truncate(to: size)
        let record = try log().read()
        #expect(record.intents.isEverything && record.trust == .none)
    }

    @Test("after a reboot later records may be lost, and one names not all")
    func earlierBoot() throws {
        try write()
        let record = try log(boot: 2, mount: 2).read()
        #expect(!record.namesAll(atLaunch: true) && !record.namesAll(atLaunch: false))
        #expect(record.trust == .none)
    }

    /// A disk may lose unsynced records in a remount, too, and with `power` the rows of later
    /// changes stay.
    @Test("a launch on another mount believes no record that was written with power")
    func otherMount() throws {
        for (durability, isBelieved) in [(Durability.process, true), (.power, false)] {
            try log(durability).write(intents, trust: .thisEpoch)
            let here = try log().read()
            #expect(here.namesAll(atLaunch: true))
            let there = try log(mount: 2).read()
            #expect(there.namesAll(atLaunch: true) == isBelieved)
            #expect(there.namesAll(atLaunch: false))
        }
    }

    @Test("in a copy, or after a remount, it is of another epoch")
    func otherEpoch() throws {
        try write()
        let record = try log(mount: 2).read()
        #expect(record.isOfThisBoot && record.trust == .none)
    }
}
