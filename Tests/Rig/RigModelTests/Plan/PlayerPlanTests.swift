import RigModel
import Testing

/// A player's pattern is fixed by its seed, legal, and covers what players do (T8, T5).
struct PlayerPlanTests {
    private static let length: Int64 = 10 << 20

    private func plans(_ workload: Workload, length: Int64 = length) -> [PlayerPlan] {
        (1...50).map { PlayerPlan(workload, seed: UInt64($0), videoLength: length) }
    }

    @Test(arguments: [Workload.playback, .switching, .twoPlayers])
    func theSeedDecides(workload: Workload) {
        let plan = PlayerPlan(workload, seed: 7, videoLength: Self.length)
        #expect(plan == PlayerPlan(workload, seed: 7, videoLength: Self.length))
        #expect(plan != PlayerPlan(workload, seed: 8, videoLength: Self.length))
    }

    /// Runs are compared across machines and replayed, so a seed's pattern must never change.
    @Test func thePatternOfASeedNeverChanges() {
        let plan = PlayerPlan(.playback, seed: 1, videoLength: Self.length)
        #expect(plan.moves.count == 20)
        #expect(plan.moves[0][0].range == 0..<2)
        #expect(
            plan.moves[1..<6].map { $0.map { [$0.range.lowerBound, $0.takes] } } == [
                [[0, 746_024]], [[10_223_616, 262_144]], [[3_160_253, 216_251]],
                [[5_653_184, 521_424]], [[958_238, 195_830]],
            ])
    }

    @Test(
        arguments: [Workload.playback, .switching, .twoPlayers],
        [3, 70, 400_000, length] as [Int64])
    func everyRequestLiesInItsVideo(workload: Workload, length: Int64) {
        for request in plans(workload, length: length).flatMap(\.moves).flatMap(\.self) {
            #expect((0..<workload.videoCount).contains(request.video))
            #expect(request.range.lowerBound >= 0 && request.range.upperBound <= length)
            #expect(!request.range.isEmpty)
            #expect(
                (0...(request.range.upperBound - request.range.lowerBound)).contains(request.takes))
            #expect(!request.isOpenEnded || request.range.upperBound == length)
        }
    }

    @Test(arguments: [Workload.playback, .switching])
    func theLastMovesTakeEverything(workload: Workload) {
        let whole = PlayerPlan.everything(videos: workload.videoCount, of: Self.length)
        #expect(
            whole.moves.map { $0.map(\.takes) }
                == Array(repeating: [Self.length], count: workload.videoCount))
        for plan in plans(workload) {
            #expect(Array(plan.moves.suffix(workload.videoCount)) == whole.moves)
        }
    }

    /// The first player is alone when it opens its video; then both are at work in each move, and in
    /// the last one they take everything (S5).
    @Test func twoPlayersPlayAtTheSameTime() {
        for plan in plans(.twoPlayers) {
            #expect(plan.moves[..<3].allSatisfy { $0.map(\.video) == [0] })
            #expect(plan.moves[3].map(\.video).contains(1))
            #expect(plan.moves[3].map(\.video).contains(0))
            #expect(plan.moves[3..<19].allSatisfy { Set($0.map(\.video)) == [0, 1] })
            #expect(plan.moves.last?.map(\.video) == [0, 1])
            #expect(plan.moves.last?.map(\.takes) == [Self.length, Self.length])
        }
    }

    @Test func aPlayerProbesSeeksCancelsAndAsksTwice() {
        for plan in plans(.playback) {
            #expect(plan.moves[0].map(\.range) == [0..<2])
            #expect(plan.moves[1][0].range.lowerBound == 0)
            #expect(plan.moves[2][0].range == Self.length - (256 << 10)..<Self.length)
            // The last move takes everything; some of the others are cancels.
            let cancels = plan.moves.dropLast().flatMap(\.self).filter {
                $0.takes < $0.range.upperBound - $0.range.lowerBound
            }
            #expect(cancels.count >= 5)
        }
        let moves = plans(.playback).flatMap(\.moves)
        #expect(moves.contains { $0.count == 2 && $0[0] == $0[1] })
        #expect(
            moves.contains { $0.count == 2 && $0[0].range.overlaps($0[1].range) && $0[0] != $0[1] })
        #expect(moves.contains { $0[0].takes == 0 })
    }

    /// T5: 1 MB, 200 KB, 100 KB and 50 KB before each switch, then each video continues where it
    /// was left.
    @Test func aSwitchGoesOnWhereTheVideoWasLeft() {
        for plan in plans(.switching) {
            let taps = plan.moves.map { $0[0] }
            #expect(taps[..<5].map(\.video) == [0, 1, 2, 3, 4])
            #expect(taps[..<4].map(\.takes) == [1 << 20, 200 << 10, 100 << 10, 50 << 10])
            // One seek separates the rounds.
            #expect(taps[6..<11].map(\.video) == [0, 1, 2, 3, 4])
            #expect(taps[6..<11].map(\.range.lowerBound) == taps[..<5].map(\.takes))
        }
    }
}
