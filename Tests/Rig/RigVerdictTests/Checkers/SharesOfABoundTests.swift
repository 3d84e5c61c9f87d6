import RigModel
import RigVerdict
import Testing

/// Two requests under way: what each had received decides what a kill may cost, in any order (B1).
///
/// One had received half a threshold beyond its last commit, the other ten bytes: with the shares
/// unsorted, two thresholds were allowed.
@Suite struct SharesOfABoundTests {
    private static let other: Int64 = 8 << 20

    /// The first request has lost this many bytes, and the second all of its few.
    private static func scene(first: Int64, second: Int64, isTurned: Bool) -> Scene {
        Scene().with { scene in
            let reached = Scene.saved + first
            scene.witnessed = [
                .running(0, got: reached, saved: Scene.saved),
                .running(Self.other, got: second),
            ]
            scene.served = [
                ServedRequest(requested: 0..<Self.other, servedBytes: reached),
                ServedRequest(requested: Self.other..<Scene.video, servedBytes: second),
            ]
            var answers = [
                TakenAnswer.running(0..<reached), .running(Self.other..<Self.other + second),
            ]
            if isTurned {
                scene.witnessed.reverse()
                answers.reverse()
            }
            scene.sockets = SocketReading(answers: answers)
        }
    }

    private static func bounds(_ scene: Scene) -> [String] {
        scene.judged.findings.filter { $0.checker == .bound }.map(\.detail)
    }

    @Test(
        arguments: [(524_288, 10, 524_298), (524_288, 1, 524_289), (100, 524_288, 1_048_576)]
            as [(first: Int64, second: Int64, bound: Int64)], [false, true])
    func whatBothMayHaveLostIsWithinTheBound(
        sizes: (first: Int64, second: Int64, bound: Int64), isTurned: Bool
    ) {
        let scene = Self.scene(first: sizes.first, second: sizes.second, isTurned: isTurned)
        let judgement = scene.judged
        #expect(judgement.figures.bound == sizes.bound)
        #expect(judgement.figures.lost?.count == sizes.first + sizes.second)
        #expect(judgement.figures.activeRequests == 2)
        #expect(Self.bounds(scene) == [])
    }

    @Test(
        arguments: [(524_289, 10), (900_000, 10), (1_048_566, 10)]
            as [(first: Int64, second: Int64)],
        [false, true])
    func oneByteMoreIsAFinding(sizes: (first: Int64, second: Int64), isTurned: Bool) throws {
        let scene = Self.scene(first: sizes.first, second: sizes.second, isTurned: isTurned)
        let detail = try #require(Self.bounds(scene).first)
        let lost = sizes.first + sizes.second
        #expect(
            detail.hasPrefix("lost \(lost) bytes, \(lost - 524_298) more than the bound of 524298"))
        let row = scene.judged.row("w")
        #expect(row.boundOK == false && row.boundBytes == 524_298)
    }

    /// What two requests took both can be lost once, and adds nothing to the bound.
    @Test(arguments: [false, true])
    func theSameBytesTwiceAreNoShare(isTurned: Bool) {
        let scene = Self.scene(first: 524_288, second: 10, isTurned: isTurned).with { scene in
            let reached = Scene.saved + 524_288
            var answers = [TakenAnswer.running(0..<reached), .running(reached - 10..<reached)]
            if isTurned { answers.reverse() }
            scene.sockets = SocketReading(answers: answers)
        }
        #expect(scene.judged.figures.bound == 524_288)
    }

    /// The page may forget requests that the kernel saw, and raises no bound by inventing some.
    @Test(arguments: [(1, 524_288), (2, 524_298), (5, 524_298)])
    func noMoreRequestsCountThanTheKernelSaw(told: Int, bound: Int64) {
        let scene = Self.scene(first: 524_288, second: 10, isTurned: true).with { scene in
            scene.witnessed = (0..<told).map { index in
                WitnessedRequest.running(
                    index == 0 ? 0 : Self.other, got: index == 0 ? Scene.saved + 524_288 : 10,
                    saved: index == 0 ? Scene.saved : 0)
            }
        }
        let figures = scene.judged.figures
        #expect(figures.bound == bound)
        #expect(figures.activeRequests == min(told, 2))
    }
}
