import RigModel

/// Findings about workers that can only be observed, and about two levels that disagree.
extension PlantedBugTests {
    static let blackBoxBugs: [Bug] =
        agreementBugs + stitchedBugs + unearnedBugs + [
            Bug(
                "a black box that loses more than its authors promise", [.bound],
                "lost 100000 bytes, 95904 more than the bound of 4096, at 2900000..<3000000",
                .blackBox.with { $0.fetch(2_900_000..<Scene.video) }),
            Bug(
                "a hole that the totals would hide", [.bound, .unearned],
                "lost 4097 bytes, 1 more than the bound of 4096, at 1000..<5097",
                // It has 4097 bytes beyond those received, and lacks as many among them: by totals
                // nothing is lost.
                .blackBox.with { $0.taken = ByteRanges([1000..<5097, 3_004_097..<Scene.video]) }),
            Bug(
                "a black box that begins two bytes too far on", [.completion],
                "2 bytes of the completed file are unlike the video's",
                .blackBox.with {
                    $0.fetch(Scene.kept + 2..<Scene.video)
                    $0.wrong = ByteRanges([Scene.kept..<Scene.kept + 2])
                    $0.differing = 2
                }),
            // It said "8912896 bytes of the completed file are unlike the video's".
            Bug(
                "a black box that takes a part for the whole", [.bound, .completion],
                "the completed file ends after 1.5 MB of 10.0 MB",
                .blackBox.with {
                    $0.wrong = ByteRanges([3 << 19..<Scene.video])
                    $0.differing = Scene.video - 3 << 19
                    $0.cut = CutFile(length: 3 << 19, video: Scene.video)
                }),
            Bug(
                "wrong bytes of a program that nothing is known of", [.completion],
                "5000 bytes of the completed file are unlike the video's",
                .opaque.with { $0.spoil(0..<5000) }),
            Bug(
                "an acknowledgement without inspection that the relaunch gives the lie to",
                [.durability], "3776 of 3000000 acknowledged bytes are gone, at 2996224..<3000000",
                .blackBox.with {
                    $0.contract = .paged(.bytes(4096))
                    $0.hasWitness = true
                    $0.witnessed = [.running(0, got: Scene.reached, saved: Scene.reached)]
                }),
        ]

    private static func kernel(_ received: Int64) -> SocketReading {
        SocketReading(received: ByteRanges([0..<received]), activeRequests: 1)
    }

    // Each used to pass, or to prove nothing: it seemed to have kept more than it was given.
    static let unearnedBugs: [Bug] = [
        Bug(
            "a program that knows the video beforehand", [.unearned],
            "7485760 bytes of the video were there that the worker had not received,"
                + " at 3000000..<10485760: it has them from elsewhere",
            .blackBox.with { $0.keepAll() }),
        // The origin answers otherwise, and the video is the same: this used to be not judged.
        Bug(
            "the same from an origin that ignores ranges", [.unearned],
            "7485760 bytes of the video were there that the worker had not received,"
                + " at 3000000..<10485760: it has them from elsewhere",
            .blackBox.with {
                $0.originChanged = true
                $0.keepAll()
            }),
        Bug(
            "the whole version before, of which the killed launch had received a part", [.unearned],
            "7485760 bytes of the video were there that the worker had not received,"
                + " at 3000000..<10485760: it has them from elsewhere",
            .stale.with { $0.sockets = kernel(Scene.reached) }),
        Bug(
            "ten bytes that are not asked for, of an origin that sends more than that",
            [.resumption],
            "10 bytes neither recovered nor asked for, at \(Scene.saved)..<\(Scene.saved + 10)",
            Scene().with {
                $0.originChanged = true
                $0.refetched = [0..<Scene.saved, Scene.saved + 10..<Scene.video]
            }),
        Bug(
            "a chunk that no request has brought", [.unearned],
            "524288 bytes of the video were there that the worker had not received,"
                + " at 9961472..<10485760: it has them from elsewhere",
            Scene().with {
                $0.sockets = kernel(Scene.reached)
                let last = Scene.video - Scene.chunk..<Scene.video
                $0.chunks.append(.sound(last))
                $0.claimed = ByteRanges([0..<Scene.saved, last])
                $0.refetched = [Scene.saved..<last.lowerBound]
            }),
        Bug(
            "a file that is completed without a request", [.unearned, .resumption],
            "7485760 bytes of the video were there that the worker had not received,"
                + " at 3000000..<10485760: it has them from elsewhere",
            Scene().with {
                $0.sockets = kernel(Scene.reached)
                $0.refetched = []
            }),
    ]

    static let agreementBugs: [Bug] = [
        Bug(
            "a page that tells of one byte too many", [.agreement],
            "the page tells of 1 byte that the kernel had not delivered,"
                + " at 2999999..<3000000", Scene().with { $0.sockets = kernel(Scene.reached - 1) }),
        Bug(
            "a page that conceals one byte more than a read", [.agreement],
            "the page does not tell of 1 byte that the kernel had delivered,"
                + " at 3000000..<3000001: more than the reads in hand",
            Scene().with {
                $0.sockets = kernel(Scene.reached + Tolerances.readInHandBytes + 1)
                $0.served = [ServedRequest(requested: 0..<Scene.video, servedBytes: Scene.video)]
            }),
        // What the origin does after the kill says nothing about the launch before it.
        Bug(
            "a page that conceals what it gave up, of an origin that changes later", [.agreement],
            "the page does not tell of 1000 bytes that the kernel had delivered,"
                + " at 3000000..<3001000: more than the reads in hand",
            Scene().with {
                $0.originChanged = true
                $0.sockets = SocketReading(answers: [
                    .running(0..<Scene.reached), .givenUp(Scene.reached..<Scene.reached + 1000),
                ])
                $0.served = [ServedRequest(requested: 0..<Scene.video, servedBytes: Scene.video)]
            }),
        // It seemed to lose nothing, because bytes that it had not noted did not count as received.
        Bug(
            "a page that notes what came only when it is saved", [.bound, .agreement],
            "the page does not tell of 421888 bytes that the kernel had delivered,"
                + " at 2621440..<3043328: more than the reads in hand",
            Scene().with {
                $0.policy = Policy(threshold: ByteSize(bytes: 256 << 10))
                $0.commits = 10
                $0.witnessed[1] = .running(0, got: Scene.saved, saved: Scene.saved)
                $0.sockets = kernel(6 * Scene.chunk)
                $0.served = [ServedRequest(requested: 0..<Scene.video, servedBytes: Scene.video)]
            }),
        Bug(
            "a page that tells of more requests than there were connections", [.bound, .agreement],
            "the page tells of 2 requests under way that have received bytes, and the origin"
                + " and the kernel saw 1",
            // Split over two requests, the loss would stay below twice the threshold.
            Scene().with {
                $0.witnessed = [
                    .running(0, got: Scene.saved + 100, saved: Scene.saved),
                    .running(Scene.saved + 100, got: Scene.chunk),
                ]
                $0.sockets = kernel(Scene.saved + 100 + Scene.chunk)
                $0.served = [ServedRequest(requested: 0..<Scene.video, servedBytes: Scene.video)]
            }),
        // Each invented request used to allow another read in hand.
        Bug(
            "a page that conceals what came behind requests that never were", [.bound, .agreement],
            "the page does not tell of 876160 bytes that the kernel had delivered,"
                + " at 2621440..<3497600: more than the reads in hand",
            Scene().with {
                $0.witnessed[1] = .running(0, got: Scene.saved, saved: Scene.saved)
                $0.witnessed += (0..<100).map {
                    WitnessedRequest.ended($0 * Tolerances.readInHandBytes, got: 0)
                }
                $0.sockets = kernel(3_600_000)
                $0.served = [ServedRequest(requested: 0..<Scene.video, servedBytes: Scene.video)]
            }),
        // Each idle connection used to allow another threshold.
        Bug(
            "idle connections beside one that never saves", [.bound],
            "lost 3000004 bytes, 2475712 more than the bound of 524292, at 0..<3000000,"
                + " 4000000..<4000001, 5000000..<5000001 and 2 more",
            Scene().with {
                $0.commits = 0
                $0.keep()
                let idle = (1...4).map { Scene.reached + $0 * 1_000_000 }
                $0.witnessed =
                    [WitnessedRequest.running(0, got: Scene.reached)]
                    + idle.map { WitnessedRequest.running($0, got: 1) }
                $0.sockets = SocketReading(
                    answers: [.running(0..<Scene.reached)] + idle.map { .saving($0..<$0 + 1) })
            }),
        // One connection that the kernel had forgotten used to excuse all others.
        Bug(
            "a page that conceals beside a connection that was closed abruptly", [.agreement],
            "the page does not tell of 276160 bytes that the kernel had delivered,"
                + " at 2621440..<2897600: more than the reads in hand",
            Scene().with {
                $0.witnessed[1] = .running(0, got: Scene.saved, saved: Scene.saved)
                $0.sockets = SocketReading(answers: [
                    .running(0..<Scene.reached),
                    TakenAnswer(
                        taken: 9_000_000..<9_000_000, mostTaken: 9_100_000, isWhole: false,
                        isUnderWay: true, isBeingRead: false),
                ])
                $0.served = [ServedRequest(requested: 0..<Scene.video, servedBytes: Scene.video)]
            }),
        Bug(
            "a read that was dropped where nothing gives up requests", [.agreement],
            "the page does not tell of 16384 bytes that the kernel had delivered,"
                + " at 2621440..<2637824: more than the reads in hand",
            Scene.cancelled.with {
                let cancelled = $0
                $0 = Scene()
                $0.witnessed = cancelled.witnessed
                $0.sockets = cancelled.sockets
                $0.served = cancelled.served
            }),
        Bug(
            "a page that puts a request one byte too far on", [.agreement],
            "the page tells of 1 byte that the kernel had not delivered, at 5000100..<5000101",
            // The same number of bytes, at another position.
            Scene().with {
                $0.witnessed.append(.running(5_000_001, got: 100))
                $0.served = [ServedRequest(requested: 0..<Scene.video, servedBytes: Scene.video)]
                $0.sockets = SocketReading(
                    received: ByteRanges([0..<Scene.reached, 5_000_000..<5_000_100]),
                    activeRequests: 2)
            }),
        Bug(
            "a page under disabled that conceals one byte more than a read", [.agreement],
            "the page does not tell of 1 byte that the kernel had delivered,"
                + " at 3000000..<3000001: more than the reads in hand",
            .disabled.with {
                $0.sockets = kernel(Scene.reached + Tolerances.readInHandBytes + 1)
                $0.served = [ServedRequest(requested: 0..<Scene.video, servedBytes: Scene.video)]
            }),
    ]

    static let stitchedBugs: [Bug] = [
        Bug(
            "two versions in one file", [.stitched],
            "2996224 bytes of the completed file are of the version before, the first at 0,"
                + " and the worker ended with exit code 0",
            .changedOrigin.with {
                $0.refetched = [Scene.kept..<Scene.video]
                $0.wrong = ByteRanges([0..<Scene.kept])
                $0.stale = ByteRanges([0..<Scene.kept])
                $0.differing = Scene.kept
            }),
        Bug(
            "two versions and a byte of neither", [.completion, .stitched],
            "1 byte of the completed file are unlike the video's and the version's before",
            .changedOrigin.with {
                $0.refetched = [Scene.kept..<Scene.video]
                $0.wrong = ByteRanges([0..<Scene.kept + 1])
                $0.stale = ByteRanges([0..<Scene.kept])
                $0.differing = Scene.kept + 1
            }),
        Bug(
            "a part of the version before, and nothing of the new one", [.stitched],
            "2996224 bytes of the completed file are of the version before, the first at 0,"
                + " and the worker ended with exit code 0",
            .changedOrigin.with {
                $0.keepAll()
                $0.wrong = ByteRanges([0..<Scene.kept])
                $0.stale = ByteRanges([0..<Scene.kept])
                $0.differing = Scene.kept
            }),
        Bug(
            "the version before, passed off by a worker that promises to ask again", [.stale],
            "the completed file is the version before, whole, and the worker ended with exit"
                + " code 0 although it promises to ask the origin again",
            .stale.with { $0.contract = Scene.revalidating }),
    ]
}
