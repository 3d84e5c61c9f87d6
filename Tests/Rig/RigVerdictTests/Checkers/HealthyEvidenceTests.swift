import RigModel
import Testing

@testable import RigVerdict

/// False alarms are defects: no checker may object to this evidence.
@Suite struct HealthyEvidenceTests {
    static let scenes: [(name: String, scene: Scene)] = [
        ("an ordinary kill", Scene()),
        ("an ordinary kill under disabled", .disabled),
        (
            "exactly the threshold lost",
            Scene().with {
                $0.witnessed[1] = .running(0, got: Scene.saved + Scene.chunk, saved: Scene.saved)
            }
        ),
        (
            "killed after COMMIT and before it was acknowledged",
            Scene().with {
                $0.witnessed[1] = .running(0, got: Scene.saved, saved: 4 * Scene.chunk)
                $0.commits = 4
            }
        ),
        (
            "killed between the commit count and the acknowledged bytes",
            Scene().with {
                $0.witnessed[1] = .running(0, got: Scene.reached, saved: 4 * Scene.chunk)
            }
        ),
        (
            "killed between the acknowledged bytes and the commit count",
            Scene().with { $0.commits = 4 }
        ),
        (
            "nothing saved yet",
            Scene().with {
                $0.commits = 0
                $0.witnessed = [.running(0, got: 2)]
                $0.chunks = []
                $0.claimed = ByteRanges()
                $0.refetched = [0..<2, 0..<Scene.video]
            }
        ),
        ("two active requests may lose twice the threshold", twoActiveRequests),
        (
            "killed between a read and the page's note of it",
            Scene().with {
                let read: Int64 = 32 << 10
                $0.sockets = .taken(0..<Scene.reached + read)
                $0.served = [ServedRequest(requested: 0..<Scene.video, servedBytes: Scene.video)]
            }
        ),
        (
            "a read that a request dropped when it was cancelled is not what the kill cost",
            .cancelled.with { $0.workload = .switching }
        ),
        (
            "bytes that may have been read off a connection that was closed abruptly",
            Scene().with {
                $0.sockets = SocketReading(answers: [
                    .running(0..<Scene.reached),
                    TakenAnswer(
                        taken: 5_000_000..<5_000_000, mostTaken: 5_001_000, isWhole: false,
                        isUnderWay: true, isBeingRead: false),
                ])
            }
        ),
        (
            "ranges by one connection, of which two are being saved",
            Scene().with {
                $0.witnessed = (0..<3).map {
                    WitnessedRequest.running(
                        $0 * 1_000_000, got: 1_000_000, saved: max(0, Scene.saved - $0 * 1_000_000))
                }
                $0.witnessed[0] = .running(0, got: 1_000_000, saved: 1_000_000)
                $0.witnessed[1] = .running(1_000_000, got: 1_000_000, saved: 1_000_000)
                $0.sockets = SocketReading(answers: [
                    .saving(0..<1_000_000), .saving(1_000_000..<2_000_000),
                    .running(2_000_000..<3_000_000),
                ])
            }
        ),
        (
            "a request whose connection is about to open",
            Scene().with {
                $0.witnessed.append(.running(5_000_000, got: 0))
                $0.sockets = .taken(0..<Scene.reached)
            }
        ),
        (
            "bytes served that the worker had not taken off its socket",
            Scene().with {
                $0.served = [
                    ServedRequest(requested: 0..<2, servedBytes: 2),
                    ServedRequest(requested: 0..<Scene.video, servedBytes: Scene.video),
                ]
            }
        ),
        (
            "received by two requests side by side",
            Scene().with {
                $0.served = [
                    ServedRequest(requested: 1_000_000..<Scene.video, servedBytes: 2_000_000),
                    ServedRequest(requested: 0..<1_000_000, servedBytes: 1_000_000),
                ]
            }
        ),
        ("requests that ended left a remainder each", remainders),
    ]

    static let twoActiveRequests = Scene().with {
        $0.commits = 0
        $0.witnessed = [.running(0, got: Scene.chunk), .running(5_000_000, got: Scene.chunk)]
        $0.keep()
    }

    static let remainders = Scene().with {
        $0.commits = 3
        $0.witnessed = [
            .ended(0, got: 1_000, saved: 1_000),
            .ended(5_000, got: 70, saved: 70),
            .ended(9_000, got: 9, saved: 9),
            .running(20_000, got: 5_000),
        ]
        let stored = [0..<1_000, 5_000..<5_070, 9_000..<9_009] as [Range<Int64>]
        $0.chunks = stored.map { StoredChunk.sound($0) }
        $0.claimed = ByteRanges(stored)
        $0.refetched = [1_000..<5_000, 5_070..<9_000, 9_009..<Scene.video]
    }

    @Test(arguments: scenes.indices)
    func passes(index: Int) {
        let (name, scene) = Self.scenes[index]
        let judgement = scene.judged
        #expect(judgement.verdict == .pass, "\(name): \(judgement.reason)")
        #expect(judgement.findings.isEmpty)
        #expect(judgement.reason.isEmpty)
    }

    @Test func disabledMayHaveSavedARequestThatReceivedAll() {
        // The origin was asked for 0 ..< 1,000 and delivered it; the kill came after the save, but
        // before the page showed the request's end.
        let scene = Scene.disabled.with {
            $0.witnessed = [.running(Scene.video - 1_000, got: 1_000)]
            $0.chunks = [.sound(Scene.video - 1_000..<Scene.video)]
            $0.refetched = [0..<Scene.video - 1_000]
        }
        #expect(scene.judged.verdict == .pass)
    }

    @Test(arguments: [64, 128, 256, 512, 1_024, 4_096])
    func commitsThatFallShortByLessThanAReadAreRight(kilobytes: Int64) {
        // Every network read is 16 KB; the worker commits when one more would exceed the threshold.
        let threshold = kilobytes * 1_024
        let size = threshold - 16 * 1_024
        let scene = Scene().with {
            $0.policy = Policy(threshold: ByteSize(bytes: threshold))
            $0.commits = 8
            $0.witnessed = [.running(0, got: 8 * size, saved: 8 * size)]
        }
        #expect(EvidenceChecker.commits.details(JudgedKill(scene.evidence)).isEmpty)
    }
}
