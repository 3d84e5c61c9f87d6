import FixtureOrigin
import RigModel
import Testing

@testable import RigLab

/// A pace that spreads kills over the work ends with the kill.
///
/// A relaunch was served as slowly, for nothing: that was 42 % of the time of a hundred kills of curl.
@Suite struct PaceEndTests {
    private static func settings(
        pacesOnlyKills: Bool = true, successors: [Resource]? = nil
    ) -> LaboratorySettings {
        var settings = LaboratorySettings(
            worker: WorkerProfile(name: "worker", command: ["worker"]),
            resources: [Resource(source: BytesVideo.pattern(10), bytesPerSecond: 5)],
            fileName: "v.mp4", scratch: "/nowhere", environment: [:])
        settings.successors = successors
        settings.pacesOnlyKills = pacesOnlyKills
        return settings
    }

    @Test(
        arguments: [
            (.bytes(5), 5), (.flowing(5), 5), (.time(0.5), 5), (.ending(0.5), nil),
        ] as [(Trigger, Double?)])
    func aLaunchThatIsKilledHasItUnlessThatIsAtTheEnd(trigger: Trigger, expected: Double?) {
        let kill = PlannedKill(kill: 1, trigger: trigger, delaySeconds: 0)
        #expect(Self.settings().resource(until: kill).bytesPerSecond == expected)
        // What was asked for stays.
        let told = Self.settings(pacesOnlyKills: false)
        #expect(told.resource(until: kill).bytesPerSecond == 5)
    }

    @Test func aRelaunchHasNone() {
        #expect(Self.settings().resourceAfterKill(isTwice: false).bytesPerSecond == nil)
        // Two instances have to meet.
        #expect(Self.settings().resourceAfterKill(isTwice: true).bytesPerSecond == 5)
        let told = Self.settings(pacesOnlyKills: false)
        #expect(told.resourceAfterKill(isTwice: false).bytesPerSecond == 5)
    }

    @Test func neitherHasAnotherVersion() {
        let next = Resource(source: BytesVideo.pattern(20), etag: "\"next\"", bytesPerSecond: 5)
        let served = Self.settings(successors: [next]).resourceAfterKill(isTwice: false)
        #expect(served.etag == next.etag && served.bytesPerSecond == nil)
    }
}
