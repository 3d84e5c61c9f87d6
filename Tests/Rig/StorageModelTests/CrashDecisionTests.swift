import HandmadeLogs
import RigModel
import Testing

@testable import StorageModel

/// Crash states by decisions about single operations.
@Suite struct CrashDecisionTests {
    private static let logs = (DiskModelTests.lost + DiskModelTests.kept).map(\.log.log)

    /// Without a decision nothing is lost, on any disk.
    @Test(arguments: DiskModel.allCases) func nothingIsLostByItself(on disk: DiskModel) throws {
        for log in Self.logs {
            let replay = try StorageReplay(of: log, on: disk)
            let image = replay.state(deciding: [])
            #expect(image.names == replay.names)
            for (file, content) in image.contents {
                #expect(replay.seen(of: file)?.reads(as: content) == true, "\(image.text)")
            }
        }
    }

    /// What a seed draws can be told as decisions, which give the same state again.
    @Test(arguments: DiskModel.allCases)
    func aDrawnStateIsMadeOfDecisions(on disk: DiskModel) throws {
        var (told, drawn) = (0, 0)
        for log in Self.logs {
            let replay = try StorageReplay(of: log, on: disk)
            for seed in 0..<UInt64(50) {
                let state = replay.drawn(seed: seed)
                #expect(state.image == (try CrashImage(of: log, on: disk, seed: seed)))
                drawn += 1
                if let decisions = state.decisions {
                    told += 1
                    #expect(replay.state(deciding: decisions) == state.image)
                }
            }
        }
        #expect(told * 100 >= drawn * 99, "\(told) of \(drawn)")
    }

    /// Every part of a state's decisions gives a state that the model allows, too.
    @Test(arguments: [DiskModel.ext4, .xfs, .btrfs])
    func aPartOfTheDecisionsIsAState(on disk: DiskModel) throws {
        for log in Self.logs {
            let replay = try StorageReplay(of: log, on: disk)
            for seed in 0..<UInt64(20) {
                let decisions = replay.drawn(seed: seed).decisions ?? []
                for skipped in decisions.indices {
                    var part = decisions
                    part.remove(at: skipped)
                    let image = replay.state(deciding: part)
                    #expect(replay.objection(to: FoundFolder(image)) == nil, "\(image.text)")
                }
            }
        }
    }

    private let replaced = LogByHand().existing("data", "a").create("data.tmp")
        .write("data.tmp", "b").rename("data.tmp", to: "data")

    /// The write is lost and the rename kept, where the disk may do so.
    @Test func anOmissionIsOfOneOperation() throws {
        let replay = try StorageReplay(of: replaced.log, on: .xfs)
        #expect(replay.unsynced.map(\.ordinal) == [2, 3, 4])
        let write = try #require(replay.unsynced.first { $0.written != nil })
        #expect(replay.state(deciding: write.omission).letters("data") == "")
        // On ext4 the data is written before a rename over another file.
        let other = try StorageReplay(of: replaced.log, on: .ext4)
        #expect(other.state(deciding: write.omission).letters("data") == "b")
    }

    /// A journal commits in order: what is not committed takes all later names with it.
    @Test func anUncommittedNameTakesLaterOnes() throws {
        let replay = try StorageReplay(of: replaced.log, on: .ext4)
        let create = try #require(replay.unsynced.first)
        #expect(replay.state(deciding: create.omission).letters("data") == "a")
        let posix = try StorageReplay(of: replaced.log, on: .posix)
        let rename = try #require(posix.unsynced.last)
        #expect(rename.omission.count == 2)
        #expect(posix.state(deciding: [rename.omission[1]]).paths == ["data", "data.tmp"])
    }

    /// What is synced cannot be lost by any decision.
    @Test func decisionsAboutSyncedOperationsChangeNothing() throws {
        let log = replaced.sync("data.tmp").syncFolder().log
        for disk in DiskModel.allCases {
            let replay = try StorageReplay(of: log, on: disk)
            let decisions = (1...6).flatMap { ordinal in
                [.uncommitted(part: 0), .uncommitted(part: 1), .unwritten, .kept([])].map {
                    CrashDecision(ordinal, $0)
                }
            }
            #expect(replay.state(deciding: decisions).letters("data") == "b", "\(disk)")
        }
    }
}
