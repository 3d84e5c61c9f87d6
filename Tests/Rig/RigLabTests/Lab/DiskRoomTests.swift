import RigModel
import Synchronization
import Testing

@testable import RigLab

/// A full disk under the results made nine rows fail, each blamed on the worker.
///
/// The run, resumed with free space, still ended with 99.
@Suite struct DiskRoomTests {
    private static let served: Int64 = 10 << 20
    private static let beside: Int64 = 16 << 20

    private func room(free: Int64?) -> DiskRoom { DiskRoom(served: Self.served) { _ in free } }

    @Test(arguments: [1, 5])
    func anIterationWithoutRoomIsRefused(kills: Int) throws {
        let needed = Int64(2 + kills) * Self.served + Self.beside
        _ = try room(free: needed).take(in: "/there", kills: kills)
        _ = try room(free: nil).take(in: "/there", kills: kills)
        let error = #expect(throws: RigError.self) {
            _ = try room(free: needed - 1).take(in: "/there", kills: kills)
        }
        #expect(error?.status == .failure)
        #expect(error?.message.contains("rig resume") == true)
    }

    /// Three jobs used to find enough space each, although there was not enough for all of them.
    @Test func jobsShareTheRoom() throws {
        let room = room(free: 2 * (3 * Self.served + Self.beside))
        let first = try room.take(in: "/there", kills: 1)
        do {
            let second = try room.take(in: "/there", kills: 1)
            #expect(throws: RigError.self) { _ = try room.take(in: "/there", kills: 1) }
            withExtendedLifetime(second) {}
        }
        let third = try room.take(in: "/there", kills: 1)
        withExtendedLifetime((first, third)) {}
    }

    /// Space that the worker itself filled is its own fault; a short shortage counts as one.
    @Test func whatWentWrongIsTheRigsOnlyWhereItsDiskWasFull() throws {
        let least = Self.served + Self.beside
        let free = Mutex(Int64.max)
        let room = DiskRoom(served: Self.served) { _ in free.withLock { $0 } }
        let needed = room.needed(kills: 1)
        let watch = try room.take(in: "/there", kills: 1)
        #expect(watch.shortage(used: 0) == nil)
        free.withLock { $0 = least }
        #expect(watch.shortage(used: 0) == nil)
        free.withLock { $0 = least - 1 }
        #expect(watch.shortage(used: needed) != nil)
        #expect(watch.shortage(used: needed + 1) == nil)
        free.withLock { $0 = .max }
        #expect(watch.shortage(used: 0) != nil)
    }

    /// On a disk without inodes nothing can be made, however much space there is.
    @Test func roomForFilesIsNeededAsWell() throws {
        let files = Mutex<Int64?>(nil)
        let room = DiskRoom(
            served: Self.served, free: { _ in Int64.max },
            freeFiles: { _ in files.withLock { $0 } })
        let watch = try room.take(in: "/there", kills: 1)
        // What file systems without a limit say.
        let unlimited: [Int64?] = [nil, -1, 100, Int64.max]
        for left in unlimited {
            files.withLock { $0 = left }
            #expect(watch.shortage(used: 0) == nil)
        }
        files.withLock { $0 = 9 }
        let error = try #require(watch.shortage(used: 0))
        #expect(error.message.contains("room for 9 more files"), "\(error)")
        #expect(watch.shortage(used: room.needed(kills: 1) + 1) == nil)
        #expect(throws: RigError.self) { _ = try room.take(in: "/there", kills: 1) }
    }
}
