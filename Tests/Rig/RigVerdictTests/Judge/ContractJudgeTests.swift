import RigModel
import RigVerdict
import Testing

/// What a worker shows of the contract, point by point.
@Suite struct ContractJudgeTests {
    private static let curl = WorkerProfile(
        name: "curl", command: ["curl", "{url}"], bound: [.sigkill: .bytes(4096)],
        boundSource: "its buffer")
    private static let full = WorkerProfile(
        name: "full", command: ["full", "{url}", "{threshold}"], bound: [.sigkill: .threshold],
        boundSource: "B1", writesWitness: true, inspection: .file(PartialFile(path: "{dir}/part")))

    private static func kernel(_ received: Int64) -> SocketReading {
        SocketReading(received: ByteRanges([0..<received]), activeRequests: 1)
    }

    private static let blackBox = Scene.blackBox.with { $0.sockets = kernel(Scene.reached) }
    private static let everyLevel = Scene().with { $0.sockets = kernel(Scene.reached) }

    /// A program like curl, with a state that is read as well.
    private static let inspected = WorkerProfile(
        name: "curl", command: ["curl", "{url}"], bound: [.sigkill: .threshold],
        boundSource: "B1", inspection: .file(PartialFile(path: "{dir}/part")))
    private static let inspectable = Scene().with {
        $0.contract = .inspected(.threshold)
        $0.hasWitness = false
        $0.sockets = kernel(Scene.reached)
        $0.taken = ByteRanges([Scene.saved..<Scene.video])
    }

    private static func spared(_ scene: Scene) -> Scene {
        scene.with {
            $0.trigger = .never
            $0.end(.exited(0))
            $0.served = [ServedRequest(requested: 0..<Scene.video, servedBytes: Scene.video)]
            $0.sockets = kernel(Scene.video)
            $0.keepAll()
        }
    }

    private func report(
        _ worker: WorkerProfile = curl, uninterrupted: Scene? = spared(blackBox),
        failure: String? = nil,
        kills: [Scene], killsFailure: String? = nil, leftProcess: Bool = false
    ) -> ContractReport {
        ContractJudge(
            worker,
            uninterrupted: ContractPart(
                evidence: [uninterrupted].compactMap { $0?.evidence }, failure: failure),
            kills: ContractPart(
                evidence: kills.map(\.evidence), failure: killsFailure, leftProcess: leftProcess)
        ).report(seed: 1)
    }

    private func verdicts(_ report: ContractReport) -> [ContractPoint.Verdict] {
        report.points.map(\.verdict)
    }

    @Test func aBlackBoxThatKeepsItsPromisePasses() {
        let report = report(kills: [Self.blackBox, Self.blackBox])
        #expect(
            verdicts(report) == [.pass, .pass, .pass, .pass, .pass, .notPromised],
            "\(report.points)")
        #expect(report.points.map(\.name) == ContractPoint.Name.allCases)
        #expect(report.points[2].detail == "at most 3776 bytes lost in 2 kills, bound 4KB")
        #expect(report.status == .success)
    }

    @Test func aWorkerWithEveryLevelHasThemCompared() {
        let report = report(Self.full, kills: [Self.everyLevel])
        #expect(report.points[4].detail == "black box, inspect, witness")
        #expect(report.points[5].verdict == .pass)
        #expect(report.points[5].detail == "but for the reads in hand, in 1 kills")
    }

    @Test func aStateIsComparedWithWhatTheNextLifeTook() {
        let report = report(Self.inspected, kills: [Self.inspectable])
        #expect(report.points[5].verdict == .pass, "\(report.points)")
        #expect(report.points[5].detail == "but for the reads in hand, in 1 kills")
    }

    /// A planted bug for each point, the point that must show it, and the overall result.
    struct Bug: CustomTestStringConvertible {
        let name: String
        let point: ContractPoint.Name
        let verdict: ContractPoint.Verdict
        let status: RigModel.ExitStatus
        let report: ContractReport
        var testDescription: String { name }
    }

    private static func bug(
        _ name: String, _ point: ContractPoint.Name, _ verdict: ContractPoint.Verdict,
        _ status: RigModel.ExitStatus, _ make: (ContractJudgeTests) -> ContractReport
    ) -> Bug {
        Bug(
            name: name, point: point, verdict: verdict, status: status,
            report: make(ContractJudgeTests()))
    }

    private static let bugs: [Bug] = [
        bug("fails unharmed", .completes, .fail, .gateFailed) {
            $0.report(uninterrupted: nil, failure: "it does not complete the video", kills: [])
        },
        bug("fails unharmed, so no kill was tried", .resumes, .unknown, .gateFailed) {
            $0.report(uninterrupted: nil, failure: "it does not complete the video", kills: [])
        },
        bug("its completed file is wrong", .completes, .fail, .gateFailed) {
            $0.report(
                uninterrupted: spared(blackBox).with {
                    $0.spoil(0..<5)
                }, kills: [blackBox])
        },
        bug("a file with wrong bytes after the relaunch", .resumes, .fail, .gateFailed) {
            $0.report(
                kills: [
                    blackBox,
                    blackBox.with {
                        $0.differing = 2
                        $0.wrong = ByteRanges([Scene.kept..<Scene.kept + 2])
                    },
                ])
        },
        bug("leaves a process when it is killed", .resumes, .fail, .gateFailed) {
            $0.report(kills: [blackBox], killsFailure: "curl left process 7 (sh) running")
        },
        bug("leaves a process, so it does not clean up", .cleansUp, .fail, .gateFailed) {
            $0.report(
                kills: [blackBox], killsFailure: "curl left process 7 (sh) running",
                leftProcess: true)
        },
        bug("comes to nothing, so cleaning up is not shown", .cleansUp, .unknown, .gateFailed) {
            $0.report(kills: [blackBox], killsFailure: "curl does not complete the video")
        },
        bug("loses more than it promises", .bound, .fail, .gateFailed) {
            $0.report(
                kills: [
                    blackBox.with { $0.fetch(2_900_000..<Scene.video) }
                ])
        },
        bug("what it received is not known", .level, .unknown, .inconclusive) {
            $0.report(kills: [Scene.opaque])
        },
        bug("so its bound is not shown", .bound, .unknown, .inconclusive) {
            $0.report(kills: [Scene.opaque])
        },
        bug("states a page and writes none", .level, .fail, .gateFailed) {
            $0.report(full, kills: [everyLevel, everyLevel.with { $0.hasWitness = false }])
        },
        bug("its page tells of other bytes than the kernel", .agreement, .fail, .gateFailed) {
            $0.report(full, kills: [everyLevel.with { $0.sockets = kernel(2_999_999) }])
        },
        bug("asks for what its state has", .agreement, .fail, .gateFailed) {
            $0.report(
                inspected,
                kills: [
                    inspectable,
                    inspectable.with { $0.fetch(Scene.saved - 1..<Scene.video) },
                ])
        },
        bug("its sockets tell nothing of the relaunch", .agreement, .unknown, .inconclusive) {
            $0.report(inspected, kills: [inspectable.with { $0.taken = nil }])
        },
        bug("no worker was killed", .resumes, .unknown, .inconclusive) { $0.report(kills: []) },
    ]

    @Test(arguments: bugs)
    func aPlantedBugShowsInItsPoint(_ bug: Bug) throws {
        let point = try #require(bug.report.points.first { $0.name == bug.point })
        #expect(point.verdict == bug.verdict, "\(point)")
        #expect(!point.detail.isEmpty)
        #expect(bug.report.status == bug.status, "\(bug.report.points)")
    }

    /// The origin does not see this worker, so its sockets are not observed.
    @Test func aWorkerWithASourceOfItsOwnIsInspected() {
        let worker = WorkerProfile(
            name: "a", command: ["a", "{source}"], source: WorkerServer(command: ["s", "{port}"]),
            inspection: .file(PartialFile(path: "{dir}/part")))
        let report = report(worker, kills: [Scene()])
        #expect(report.points[4].detail == "inspect", "\(report.points)")
        #expect(report.points[5].verdict == .notPromised)
    }

    @Test func withoutABoundNoneIsPromised() {
        let report = report(
            WorkerProfile(name: "a", command: ["a", "{url}"]), kills: [Self.blackBox])
        #expect(report.points[2].verdict == .notPromised)
    }
}
