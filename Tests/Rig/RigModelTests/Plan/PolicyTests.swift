import Foundation
import RigModel
import Testing

@Suite struct PolicyTests {
    @Test(
        arguments: [
            ("512KB", "512KB", 524_288), ("524288", "512KB", 524_288), ("0.5mb", "512KB", 524_288),
            ("1MB", "1MB", 1_048_576), ("1000", "1000", 1000), ("disabled", "disabled", nil),
            ("DISABLED", "disabled", nil), ("conservative", "256KB", 262_144),
            ("default", "512KB", 524_288), ("Aggressive", "1MB", 1_048_576),
        ] as [(String, String, Int64?)])
    func reads(text: String, name: String, bound: Int64?) {
        #expect(Policy(text)?.name == name)
        #expect(Policy(text)?.boundPerRequest(under: .sigkill) == bound)
    }

    @Test(arguments: [
        "", "0", "0KB", "none", "-512KB", "512KB,1MB", "conservativ", "standard",
        "256KB+", "256KB+256KB", "default+512KB", "256KB+512KB+1MB", "256KB+disabled", "+",
    ])
    func refuses(text: String) { #expect(Policy(text) == nil) }

    /// Two players: the worker's own threshold is the larger one, and each video is judged by its
    /// player's (S5).
    @Test(arguments: [("256KB+1MB", "256KB+1MB"), ("aggressive+262144", "1MB+256KB")])
    func readsTwoPlayers(text: String, name: String) throws {
        let policy = try #require(Policy(text, durability: .power))
        #expect(policy.name == name)
        #expect(policy.threshold?.bytes == 1 << 20)
        #expect(policy.each.map(\.name) == name.split(separator: "+").map(String.init))
        #expect(policy.each.allSatisfy { $0.durability == .power && $0.players == nil })
        #expect(policy.documentedLossPercent == nil)
        let (both, largest) = (Int64(5 << 18), Int64(1 << 20))
        #expect(policy.mayLose(activeRequests: 0) == both...both)
        #expect(policy.mayLose(activeRequests: 3) == both...both + 2 * largest)
        let stored = try JSONEncoder().encode(policy)
        #expect(try JSONDecoder().decode(Policy.self, from: stored) == policy)
    }

    /// A run that was stored before there were two players.
    @Test func readsAPolicyOfAnEarlierVersion() throws {
        let stored = Data(#"{"threshold":{"bytes":524288},"durability":"process"}"#.utf8)
        #expect(try JSONDecoder().decode(Policy.self, from: stored) == Policy("512KB"))
    }

    @Test(arguments: [("disabled", "97-98"), ("512KB", "3-5"), ("1MB", nil), ("256KB", nil)])
    func knowsWhatTheDocumentsSay(text: String, percent: String?) {
        #expect(Policy(text)?.documentedLossPercent == percent)
    }
}
