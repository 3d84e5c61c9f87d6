import Foundation
import Glibc
import RigModel
import SystemPackage
import TestSupport
import Testing
import Witness

@testable import RigLab

/// What reaches the disk before a cut without having been synced.
struct EarlyWritebackTests {
    @Test func aQuarterOfTheLaunchesHasNoneAndTheOthersAllIntervals() {
        let means = (0..<4000).map { EarlyWriteback.mean(iterationSeed: $0, kill: 1) }
        #expect((900...1100).contains(means.count { $0 == nil }))
        let some = means.compactMap(\.self)
        #expect(some.allSatisfy { (0.1...2).contains($0) })
        // As many below as above the middle of the logarithms.
        #expect((1300...1700).contains(some.count { $0 < 0.447 }))
        // Each kill of an iteration has its own.
        #expect(
            EarlyWriteback.mean(iterationSeed: 5, kill: 1)
                != EarlyWriteback.mean(iterationSeed: 5, kill: 2))
    }

    /// The pages of a log that grows were drawn as a share of its length: the last one, whose end
    /// an append has before its data, came once in as many writings as the log had pages, and real
    /// cuts found no tail of zeros.
    @Test(arguments: [1, 100, 4095, 4096, 4097, 10_000, 64 * 4096, 64 * 4096 + 1] as [Int64])
    func everyPageIsWrittenByASeedAndNoneOutside(size: Int64) {
        var written: Set<Int64> = []
        var ends = 0
        for seed in 0..<UInt64(4000) {
            var random = SplitMix64(seed: seed)
            let first = seed % 2 == 0 ? random.unit() : 0
            let part = EarlyWriteback.pages(of: size, from: first, share: random.unit())
            #expect(!part.isEmpty && part.lowerBound >= 0 && part.upperBound <= size)
            #expect(part.lowerBound % 4096 == 0)
            #expect(part.upperBound % 4096 == 0 || part.upperBound == size)
            written.formUnion(part.lowerBound / 4096...(part.upperBound - 1) / 4096)
            if part.upperBound == size { ends += 1 }
        }
        #expect(written == Set(0...(size - 1) / 4096))
        #expect(ends >= 2000 - 200)
        #expect(size <= 4096 || ends < 4000)
        #expect(EarlyWriteback.pages(of: size, from: 1, share: 1).upperBound == size)
    }

    /// Real power cuts of real file systems.
    @Suite(
        .serialized,
        .enabled(if: isPowerCutPossible, "needs root, loop devices, mkfs.ext4 and mkfs.xfs"))
    struct OnAVolume {
        private static let pages = 64
        private static let page = 4096
        private let folder: TemporaryFolder

        init() throws { folder = try TemporaryFolder() }

        /// Writes page by page: the kernel keeps, and writes back, what one call wrote as one.
        private func overwrite(_ path: String, with byte: UInt8, synced: Bool) throws {
            let file = try path.opened(.writeOnly, .create)
            defer { try? file.close() }
            let page = [UInt8](repeating: byte, count: Self.page)
            for _ in 0..<Self.pages { try file.writeAll(page) }
            if synced { #expect(fsync(file.rawValue) == 0) }
        }

        /// A cut within five seconds of a write used to find all of it or nothing.
        ///
        /// Two files are overwritten in place. Programs that rely on the order of writes break
        /// where one of them is new and the other is old, or where one is partly new.
        @Test(arguments: VolumeFileSystem.allCases)
        func someUnsyncedPagesSurviveACut(fileSystem: VolumeFileSystem) async throws {
            let volume = try await folder.volume(as: fileSystem)
            var kinds: Set<String> = []
            for seed in 0..<12 {
                try volume.wipe()
                let names = ["a", "b"].map { "\(volume.state)/\($0)" }
                for name in names { try overwrite(name, with: 1, synced: true) }
                for name in names { try overwrite(name, with: 2, synced: false) }
                var random = SplitMix64(seed: UInt64(seed))
                EarlyWriteback.write(.pages, of: volume.state, &random)
                try volume.cut()
                try volume.remount()
                for name in names {
                    let bytes = [UInt8](try #require(FileManager.default.contents(atPath: name)))
                    #expect(bytes.count == Self.pages * Self.page)
                    let new = bytes.count { $0 == 2 }
                    #expect(bytes.count { $0 == 1 } == bytes.count - new)
                    kinds.insert(new == 0 ? "old" : new == bytes.count ? "new" : "mixed")
                }
            }
            #expect(kinds.isSuperset(of: ["old", "mixed"]))
            try volume.tearDown()
        }

        /// An append-only log of short records had no tail of zeros in twenty cuts, and always has
        /// one in reality: no cut came between a commit of the journal and the data.
        @Test func theJournalIsCommittedWithoutTheData() async throws {
            let volume = try await folder.volume()
            let path = "\(volume.state)/log"
            try Data(repeating: 1, count: 100).write(to: URL(fileURLWithPath: path))
            try VolumeMount.sync(volume.folder)
            let log = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
            try log.seekToEnd()
            try log.write(contentsOf: Data(repeating: 2, count: 100))
            try log.close()
            var random = SplitMix64(seed: 1)
            EarlyWriteback.write(.journal, of: volume.state, &random)
            try volume.cut()
            try volume.remount()
            let bytes = try #require(FileManager.default.contents(atPath: path))
            #expect(bytes == Data(repeating: 1, count: 100) + Data(count: 100))
            try volume.tearDown()
        }

        /// Pages in the middle of a file that is new are not written before those at its start.
        @Test(arguments: VolumeFileSystem.allCases)
        func aNewFileIsWrittenFromItsStart(fileSystem: VolumeFileSystem) async throws {
            let volume = try await folder.volume(as: fileSystem)
            var lengths: Set<Int> = []
            for seed in 0..<12 {
                try volume.wipe()
                try overwrite("\(volume.state)/a", with: 1, synced: false)
                var random = SplitMix64(seed: UInt64(seed))
                EarlyWriteback.write(.pages, of: volume.state, &random)
                EarlyWriteback.write(.journal, of: volume.state, &random)
                try volume.cut()
                try volume.remount()
                let bytes = FileManager.default.contents(atPath: "\(volume.state)/a") ?? Data()
                #expect(bytes.allSatisfy { $0 == 1 })
                lengths.insert(bytes.count)
            }
            #expect(lengths.count > 2)
            try volume.tearDown()
        }

        @Test(arguments: VolumeFileSystem.allCases)
        func everythingIsEverything(fileSystem: VolumeFileSystem) async throws {
            let volume = try await folder.volume(as: fileSystem)
            try overwrite("\(volume.state)/a", with: 1, synced: false)
            var random = SplitMix64(seed: 1)
            EarlyWriteback.write(.everything, of: volume.state, &random)
            try overwrite("\(volume.state)/b", with: 1, synced: false)
            try volume.cut()
            try volume.remount()
            #expect("\(volume.state)/a".fileSize == Int64(Self.pages * Self.page))
            #expect(("\(volume.state)/b".fileSize ?? 0) == 0)
            try volume.tearDown()
        }

        /// An open file of the rig's own would keep the volume from being mounted again.
        @Test func nothingIsOpenOnceItHasFinished() async throws {
            let volume = try await folder.volume()
            let often = (0..<1000 as Range<UInt64>).filter {
                EarlyWriteback.mean(iterationSeed: $0, kill: 1).map { $0 < 0.15 } ?? false
            }
            #expect(often.count > 20)
            for seed in often.prefix(20) {
                try volume.wipe()
                let writeback = EarlyWriteback(
                    of: volume.state, iterationSeed: seed, kill: 1, uninterruptedSeconds: 0.02)
                writeback.start()
                for number in 0..<10 {
                    try overwrite("\(volume.state)/\(number)", with: 1, synced: false)
                }
                try volume.cut()
                writeback.finish()
                try volume.remount()
            }
            try volume.tearDown()
        }

        /// A run that fails between the launch and the cut forgets its power cut; the writeback
        /// must not go on for ever.
        @Test func aPowerCutThatIsForgottenStopsIt() async throws {
            let volume = try await folder.volume()
            let seed = try #require(
                (0..<1000).first {
                    EarlyWriteback.mean(iterationSeed: $0, kill: 1).map { $0 < 0.15 } ?? false
                })
            _ = try WitnessWriter(path: folder.file("witness"))
            weak var writeback: EarlyWriteback?
            do {
                let power = PowerCut(
                    of: volume, iterationSeed: seed, kill: 1, uninterruptedSeconds: 0.02,
                    watching: try WitnessWatch(path: folder.file("witness")))
                writeback = power.writeback
                writeback?.start()
            }
            try await eventually("the writeback has ended") { writeback == nil }
            try volume.tearDown()
        }
    }
}
