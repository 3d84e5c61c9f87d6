import RigModel
import RigProfiles
import Testing

@testable import RigRun

struct SelfCheckTests {
    private let worker: WorkerProfile

    init() throws { worker = try Workers.named(WorkerProfile.referenceName) }

    @Test func allOfTheWorkersBugsArePlantedUnlessSomeAreNamed() throws {
        #expect(try SelfCheck.chosen(nil, of: worker) == worker.plantedBugs?.bugs)
        let names = ["restart", "flipped-byte"]
        #expect(try SelfCheck.chosen(names, of: worker).map(\.name) == names)
    }

    @Test(arguments: ["no-such-bug", ""])
    func aBugThatTheWorkerDoesNotHaveIsRefused(name: String) {
        let message = refusal(.usage) { _ = try SelfCheck.chosen(["restart", name], of: worker) }
        #expect(message?.contains("has no planted bug '\(name)'; it has: ") == true)
    }
}
