import RigModel
import RigVerdict
import Testing

@Suite struct JudgementRowTests {
    @Test func recordsEveryFigure() {
        let row = Scene().judged.row(runID: "run-1", worker: "downloader", workload: "download")
        #expect(row.runID == "run-1" && row.policy == "512KB" && row.thresholdBytes == 524_288)
        #expect(row.trigger == "bytes" && row.planned == "3000000" && row.phase == .committing)
        #expect(row.killSeconds == 0.25 && row.servedBytes == 3_000_002)
        #expect(row.receivedBytes == 3_000_000 && row.acknowledgedBytes == 2_621_440)
        #expect(row.recoveredBytes == 2_621_440 && row.lostBytes == 378_560)
        #expect(row.lossPercent == 12.619 && row.boundBytes == 524_288 && row.boundOK == true)
        #expect(row.corruptBytes == 0 && row.integrity == true && row.chunks == 5)
        #expect(row.commits == 5 && row.activeRequests == 1 && row.refetchedBytes == 7_864_320)
        #expect(row.recoverySeconds == 0.0125 && row.resumeSeconds == 0.02 && row.verdict == .pass)
        #expect(row.reason.isEmpty)
        #expect(row.seed == 7)
        #expect(row.checkers.isEmpty)
        // The worker's sockets were not observed.
        #expect(row.notJudged == [.agreement, .unearned])
        #expect(row.attempts == 1 && row.allowedLossPercent == 17.476)
        #expect(row.retrievedBytes == 2_621_440 && row.chunksRetrieved == 5)
    }

    /// The documents' first bug: chunks were looked for at multiples of 64 KB, and most not found;
    /// what the relaunched worker fetches again tells of it.
    @Test func whatIsFetchedAgainWasNotRetrieved() {
        func row(_ change: (inout Scene) -> Void) -> IterationRow {
            Scene().with(change).judged.row("w")
        }
        let chunk = Scene.chunk
        let lost = row { $0.refetched = [chunk + 7..<chunk + 9, Scene.saved..<Scene.video] }
        #expect(lost.recoveredBytes == Scene.saved && lost.retrievedBytes == Scene.saved - 2)
        #expect(lost.chunks == 5 && lost.chunksRetrieved == 4)
        let all = row { $0.refetched = [0..<Scene.video] }
        #expect(all.retrievedBytes == 0 && all.chunksRetrieved == 0)
        let damaged = row {
            $0.chunks[2] = StoredChunk(
                range: 2 * chunk..<3 * chunk, checksumMatches: false, differingBytes: 1)
            $0.refetched = [2 * chunk..<3 * chunk, Scene.saved..<Scene.video]
        }
        #expect(damaged.chunks == 5 && damaged.chunksRetrieved == 4)
        #expect(damaged.retrievedBytes == 4 * chunk)
        // A worker that fetched nothing because it failed has retrieved nothing that is known.
        let failed = row {
            $0.refetched = []
            $0.resumptionDeath = .exited(1)
        }
        #expect(failed.retrievedBytes == nil && failed.chunksRetrieved == nil)
    }

    /// A run's summary had a median recovery of 0.026781 s, and `rig judge` of it 0.026782: the
    /// running rig took all digits of two times, the judge the six decimals of the file.
    @Test func aRowHoldsNoMoreDigitsThanItsLine() {
        let row = Scene().with { $0.killSeconds = 0.123_456_789 }.judged.row(
            runID: "run-1", worker: "downloader", workload: "download")
        #expect(row.killSeconds == 0.123457)
    }

    @Test func disabledHasNoBoundAndLosesAll() {
        let row = Scene.disabled.judged.row("w")
        #expect(row.boundBytes == nil && row.boundOK == nil && row.lossPercent == 100)
        #expect(row.verdict == .pass)
    }

    @Test func whatIsNotKnownStaysEmpty() {
        let scene = Scene().with {
            $0.hasWitness = false
            $0.hasAutopsy = false
            $0.hasResumption = false
        }
        let row = scene.judged.row("w")
        #expect(row.receivedBytes == nil && row.acknowledgedBytes == nil)
        #expect(row.recoveredBytes == nil && row.lostBytes == nil && row.lossPercent == nil)
        #expect(row.boundBytes == nil && row.boundOK == nil && row.corruptBytes == nil)
        #expect(row.integrity == nil && row.chunks == nil && row.refetchedBytes == nil)
        #expect(row.phase == nil)
    }

    @Test func noRowThatTheRigWritesContradictsItself() {
        let scenes =
            HealthyEvidenceTests.scenes.map(\.scene) + PlantedBugTests.bugs.map(\.scene)
            + InconclusiveTests.cases.flatMap { [$0.scene, $0.scene.with { $0.differing = 17 }] }
        for scene in scenes {
            let worker = scene.contract.isReference ? WorkerProfile.referenceName : "w"
            let row = scene.judged.row(
                runID: "run", worker: worker, workload: scene.workload.rawValue)
            #expect(row.contradiction == nil, "\(row)")
        }
    }

    @Test func aBoundBeyondTheGreatestNumberIsTheGreatest() {
        let scene = HealthyEvidenceTests.twoActiveRequests.with {
            $0.policy = Policy(threshold: ByteSize(bytes: .max / 2 + 1))
        }
        let row = scene.judged.row("w")
        #expect(row.boundBytes == .max && row.contradiction == nil)
    }

    @Test func corruptBytesAreTheGreaterOfStateAndFile() {
        let damaged = Scene().withChunk(
            0, StoredChunk(range: 0..<Scene.chunk, checksumMatches: false, differingBytes: 3))
        let scenes = [(damaged, 3), (damaged.with { $0.differing = 8 }, 8)] as [(Scene, Int64)]
        for (scene, count) in scenes {
            let row = scene.judged.row("w")
            #expect(row.corruptBytes == count && row.integrity == false)
        }
    }

    @Test func bytesBeyondTheVideoAreNotRecovered() {
        let scene = Scene().with { $0.chunks.append(.sound(Scene.video..<Scene.video + 10)) }
        let row = scene.judged.row("w")
        #expect(row.recoveredBytes == Scene.saved && row.integrity == false)
    }
}
