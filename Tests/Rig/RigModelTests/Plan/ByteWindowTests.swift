import Foundation
import RigModel
import Testing

/// Kills that are drawn over the last bytes before an amount.
///
/// All kills used to be pinned to one byte there, right after a commit: a worker that saves every
/// 1 MB lost as little as one that saves every 512 KB (B3, B4).
struct ByteWindowTests {
    @Test(arguments: [
        ("9.5MB..10MB", 9_961_472, 10_485_760), ("512KB..1MB", 524_288, 1_048_576),
        ("0..1", 0, 1), ("7..4096", 7, 4_096),
    ])
    func twoSizesAreAWindow(text: String, after: Int64, through: Int64) throws {
        let window = try #require(ByteWindow(text))
        #expect(window.after == after && window.through == through)
        #expect(ByteWindow(window.text) == window)
    }

    @Test(arguments: [
        "", "..", "1MB", "1MB..", "..1MB", "1MB..1MB", "2MB..1MB", "1MB..2MB..3MB", "1MB...2MB",
        "1MB..2MB:flowing", "-1..2", "a..b",
    ])
    func otherTextsAreNone(text: String) { #expect(ByteWindow(text) == nil) }

    /// A manifest may say anything, and no text was parsed for it.
    @Test(arguments: [(0, -1), (-1, 5), (5, 5), (Int64.max, Int64.min), (0, 10)])
    func whatAManifestSaysMayNotFit(after: Int64, through: Int64) throws {
        let text = "{\"after\": \(after), \"through\": \(through)}"
        let window = try JSONDecoder().decode(ByteWindow.self, from: Data(text.utf8))
        #expect(!window.fits(videoLength: 10))
    }

    private func plan(
        _ text: String, trigger: TriggerKind = .bytes, iterations: Int = 1_000
    ) throws -> KillPlan {
        let window = try #require(ByteWindow(text))
        return KillPlanTests.plan(
            seed: 7, iterations: iterations,
            policies: ["512KB", "disabled"].compactMap { Policy($0) }, trigger: trigger,
            videoLength: 11 << 20
        ) { ($0.window, $0.hasKillsInFlow) = (window, true) }
    }

    private func bytes(of trigger: Trigger) -> Int64? {
        switch trigger {
        case .bytes(let count), .flowing(let count): count
        default: nil
        }
    }

    @Test func killsAreSpreadEvenlyOverItAndHalfOfThemFlow() throws {
        let plan = try plan("9.5MB..10MB")
        let kills = plan.schedule.filter { $0.policy.threshold != nil }.map(\.first.trigger)
        var parts = Array(repeating: (held: 0, flowing: 0), count: 8)
        for kill in kills {
            let count = try #require(bytes(of: kill))
            #expect(count > 9_961_472 && count <= 10_485_760)
            let part = Int((count - 9_961_473) / 65_536)
            if kill.heldBytes == nil { parts[part].flowing += 1 } else { parts[part].held += 1 }
        }
        for part in parts {
            #expect((35...90).contains(part.held) && (35...90).contains(part.flowing), "\(parts)")
        }
        let flowing = parts.reduce(0) { $0 + $1.flowing }
        #expect((450...550).contains(flowing))
    }

    @Test func bothEndsOfASmallOneAreReachedAndTheFirstByteIsNotInIt() throws {
        let kills = try plan("99..103").schedule.map { bytes(of: $0.first.trigger) }
        #expect(Set(kills) == [100, 101, 102, 103])
    }

    @Test func aKillOfItIsRepeatedAtItsOwnByte() throws {
        let plan = try plan("9.5MB..10MB", iterations: 20)
        for index in [1, 2, 7, 20] {
            let planned = plan.iteration(index, policy: plan.policies[0])
            let again = plan.repeating(planned)
            #expect(again.iteration(1, policy: plan.policies[0]).kills == planned.kills)
            #expect(again.at == planned.first.trigger.planned)
        }
        #expect(plan.at == "9728KB..10MB")
    }

    /// A damaged manifest may have anything.
    @Test(arguments: [(5, 5), (6, 5), (0, 11 << 20), (-1, 5)])
    func aStoredPlanWithAnImpossibleOneIsNone(after: Int, through: Int) throws {
        let plan = try plan("99..103")
        #expect(plan.isPossible)
        let text = String(decoding: try JSONEncoder().encode(plan), as: UTF8.self)
        let other =
            text
            .replacing("\"after\":99", with: "\"after\":\(after)")
            .replacing("\"through\":103", with: "\"through\":\(through)")
        #expect(text != other)
        #expect(try !JSONDecoder().decode(KillPlan.self, from: Data(other.utf8)).isPossible)
        #expect(try JSONDecoder().decode(KillPlan.self, from: Data(text.utf8)) == plan)
    }
}
