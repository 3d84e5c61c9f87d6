import RigModel
import RigVerdict
import Testing

/// A worker saved nothing in every 13th life, and wrote a request at 1<<40 into its page: these
/// rows were inconclusive, so its own page excused it.
@Suite struct BadPageTests {
    private static let kernel = SocketReading(
        received: ByteRanges([0..<Scene.reached]), activeRequests: 1)
    private static let beyond = WitnessedRequest.running(1 << 40, got: 1 << 20)
    private static let unpaged = Scene().with {
        $0.hasWitness = false
        $0.witnessGap = .absent
        $0.sockets = kernel
        $0.served = [ServedRequest(requested: 0..<Scene.video, servedBytes: Scene.reached)]
    }

    /// The rest of the row is judged by the kernel's counts.
    @Test func aRequestBeyondTheVideoHidesNoLoss() {
        let judgement = Self.unpaged.with {
            $0.hasWitness = true
            $0.witnessed = [Self.beyond]
            $0.keep()
        }.judged
        #expect(judgement.findings.map(\.checker) == [.bound, .ledger])
        #expect(judgement.figures.received?.count == Scene.reached)
        #expect(judgement.figures.lost?.count == Scene.reached)
    }

    @Test func aPageThatIsMissingAfterBytesWereTakenIsTheWorkersFailure() {
        let judgement = Self.unpaged.judged
        #expect(
            judgement.reason == "ledger: no witness page: the worker had taken 3000000 bytes of the"
                + " video and begun none")
        #expect(judgement.figures.lost?.count == Scene.reached - Scene.saved)
    }

    @Test func aPageThatIsMissingBeforeAnyByteWasTakenIsExcused() {
        let scene = Self.unpaged.with {
            $0.sockets = SocketReading(received: ByteRanges(), activeRequests: 0)
            $0.keep()
        }
        #expect(scene.judged.verdict == .inconclusive)
    }

    /// A worker that was not killed and did its work has started its page, too.
    @Test func aPageThatIsMissingAfterTheWorkWasDoneIsTheWorkersFailure() {
        let scene = Self.unpaged.with {
            $0.trigger = .never
            $0.end(.exited(0))
            $0.sockets = nil
        }
        #expect(scene.found.contains(.ledger))
    }

    @Test func aPhaseThatThereIsNoneOfIsTheWorkersFailure() {
        let judgement = Self.unpaged.with { $0.witnessGap = .strangePhase }.judged
        #expect(judgement.findings.map(\.checker) == [.ledger])
    }

    /// A worker that refreshed a library for longer than planned, on a busy machine, was reported:
    /// its page has room for 1,023 requests, the kill came after more, and it was taken for one
    /// that was never written.
    @Test func aLibraryWithMoreRequestsThanThePageHoldsIsNoFailure() {
        let scene = Scene.library.with {
            $0.hasWitness = false
            $0.witnessGap = .requestsMissing(begun: 1100)
            $0.sockets = Self.kernel
            $0.served = Array(
                repeating: ServedRequest(requested: 0..<Scene.video, servedBytes: Scene.reached),
                count: 1100)
            $0.library = LibraryEvidence(
                acknowledgedList: 0, receivedList: 0, acknowledgedImages: [], killed: .healthy(3),
                relaunched: .healthy(13), servedAfterwards: 13, imagesAfterwards: [4, 5])
        }
        #expect(scene.judged.findings.map(\.detail) == [])
        #expect(scene.judged.verdict == .inconclusive)
    }

    /// The page has room for 1,023 evictions; without a capacity there should be none.
    @Test(arguments: [(nil, Verdict.fail), (Scene.video, .inconclusive)])
    func tooManyEvictionsAreExcusedWhereSomethingHasToGo(capacity: Int64?, verdict: Verdict) {
        let scene = Self.unpaged.with {
            $0.witnessGap = .evictionsMissing
            $0.capacity = capacity
        }
        #expect(scene.judged.verdict == verdict)
    }

    /// Lives that ended before their kill were repeated, false pages and all: up to 19 by calls.
    @Test func aLifeWithoutAKillWhosePageCountsNoCommitIsNotSound() {
        let whole = InconclusiveTests.finished.with {
            $0.end(.exited(0))
            $0.commits = 20
            $0.claimed = ByteRanges([0..<Scene.video])
            $0.refetched = []
            $0.witnessed = [.ended(0, got: Scene.video, saved: Scene.video)]
        }
        #expect(Judge.isSound(whole.evidence))
        let liar = whole.with { $0.commits = 3 }
        #expect(!Judge.isSound(liar.evidence))
        let judgement = liar.judged
        #expect(judgement.verdict == .fail)
        #expect(judgement.findings.map(\.checker) == [.commits])
        #expect(!Judge.isSound(whole.with { $0.served = [] }.evidence))
        #expect(!Judge.isSound(whole.with { $0.refetched = [0..<9] }.evidence))
    }

    /// A false page fails the row, whatever happened to the kill.
    @Test func aBadPageFailsARowThatElseProvesNothing() {
        let judgement = Scene().with {
            $0.killSent = false
            $0.witnessed = [Self.beyond]
        }.judged
        #expect(judgement.verdict == .fail)
        #expect(judgement.findings.map(\.checker) == [.ledger])
    }
}
