import HandmadeLogs
import RigModel
import Testing

@testable import StorageModel

/// A recorded life is cut at each of its operations.
@Suite struct CutsOfALifeTests {
    private struct Seen: Hashable {
        let operation: Int
        let letters: String
        let told: String
    }

    private static let life = LogByHand().existing("f", "a").create("told")
        .write("f", "b").bytes("told", Array("1".utf8), at: 0)
        .sync("f").bytes("told", Array("2".utf8), at: 1)

    private func states(each: Int = 20, most: Int = 10_000) throws -> [Seen] {
        let cuts = CutsOfALife(Self.life.log, on: .ext4, told: "told", each: each)
        var seen: [Seen] = []
        try cuts.visit(seed: 3, most: most) { operation, image, told in
            #expect(image.bytes(of: "told") == nil)
            let text = String(decoding: told.bytes(0..<Int(told.size)), as: UTF8.self)
            seen.append(Seen(operation: operation, letters: image.letters("f"), told: text))
        }
        return seen
    }

    /// What the life has told is known, synced or not; the rest is as the cut left it.
    @Test func eachMomentHasItsStatesAndWhatWasTold() throws {
        let seen = try states()
        #expect(Set(seen).count == seen.count, "each state once")
        #expect(!seen.contains { $0.operation == 1 }, "what was there before is no moment")
        #expect(Set(seen.filter { $0.told == "1" }.map(\.letters)) == ["a", "b"])
        // Only a sync that has returned makes it certain.
        #expect(seen.filter { $0.told == "12" }.map(\.letters) == ["b"])
    }

    /// Fewer states are of moments all over the life, not of its beginning.
    @Test func fewerStatesAreOfMomentsAllOverTheLife() throws {
        let all = try states(each: 1)
        let some = try states(each: 1, most: 6)
        #expect(some.count < all.count && !some.isEmpty)
        #expect((some.map(\.operation).max() ?? 0) > 3)
    }
}
