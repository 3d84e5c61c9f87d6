import Foundation
@testable import RigLab
import Testing

/// The owner of an image is in its name, and nowhere else.
struct PowerCutImageTests {
    @Test func aNameSaysWhoseItIs() throws {
        let owner = ProcessIdentity(process: 12, started: 345, namespace: 4_026_531_836)
        let image = PowerCutImage(run: "20261121T070000-abc-12", owner: owner)
        #expect(image.fileName == "power-cut.20261121T070000-abc-12.12-345-4026531836.image")
        #expect(PowerCutImage(fileName: image.fileName) == image)
    }

    @Test(arguments: [
        "", "power-cut", "power-cut.run.image", "power-cut.run.1-2.image", "power-cut..1-2-3.image",
        "power-cut.run.1-2-x.image", "power-cut.run.1-2-3.img", "disk.run.1-2-3.image",
        "power-cut.run.1-2-3-4.image", "power-cut.run.-1-2-3.image", "a.power-cut.run.1-2-3.image",
    ])
    func anyOtherNameIsNoRigs(name: String) { #expect(PowerCutImage(fileName: name) == nil) }

    @Test func theImageHoldsTheVideoThreeTimesAndSome() {
        #expect(PowerCutVolume.imageBytes(10 << 20) == 286 << 20)
        #expect(PowerCutVolume.imageBytes(.max) == .max)
    }

    @Test func aProcessIsKnownAgainAndAnotherWithItsNumberIsNot() throws {
        let own = try #require(ProcessIdentity.own)
        #expect(!own.isDead)
        let later = ProcessIdentity(
            process: own.process, started: own.started + 1, namespace: own.namespace)
        #expect(later.isDead)
        // Nothing is known about processes of another container.
        let elsewhere = ProcessIdentity(
            process: own.process, started: 1, namespace: own.namespace + 1)
        #expect(!elsewhere.isDead)
    }

    @Test func aProcessThatHasEndedIsDeadAlsoBeforeItsParentAsks() async throws {
        let folder = try TemporaryFolder()
        let launcher = WorkerLauncher(environment: [:])
        let wasDead = try await launcher.run(["/bin/true"], log: folder.file("log")) {
            worker -> Bool in
            worker.waits("it has ended") { !worker.isAlive }
            // Not reaped yet, so its process id is not reused.
            let identity = ProcessIdentity.of(worker.processID)
            return identity?.isDead ?? false
        }
        #expect(wasDead.observed)
    }
}
