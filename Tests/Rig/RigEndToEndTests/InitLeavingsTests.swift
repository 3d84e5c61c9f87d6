import Foundation
import Testing

/// What `rig init` leaves in the folder of a project.
@Suite struct InitLeavingsTests {
    /// An empty folder `results` was left, too.
    @Test func onlyWhatItSaysItWrites() async throws {
        let place = Workplace()
        try await rig(
            "init", "--", "curl", "-q", "-sS", "-N", "-C", "-", "-o", "{output}", "{url}",
            in: place, exits: 0)
        let left = try FileManager.default.contentsOfDirectory(atPath: place.url.path)
            .filter { !$0.hasPrefix("std") }
        #expect(Set(left) == [".github", "rig.yml", "worker.yml"])
    }
}
