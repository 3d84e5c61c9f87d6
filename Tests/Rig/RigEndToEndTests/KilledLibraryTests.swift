import Foundation
import Testing
import TestSupport
import Witness

/// `downloader library refresh`, killed: the list is old or new, images are absent or whole
/// (O4, O6).
///
/// `harness/ci/self-check` plants the documents' own designs, which lose a list and tear an image.
@Suite struct KilledLibraryTests {
    private let place = Workplace()
    private let reading: LibraryReading

    init() throws { reading = LibraryReading(folder: place.path("lib")) }

    private func arguments(_ address: String) -> [String] {
        [
            "library", "refresh", "--feed", address + "/feed", "--library", "lib", "--repeat",
            "forever", "--quiet",
        ]
    }

    private func listExitCode() async throws -> Int32? {
        try await downloader("library", "list", "--library", "lib", in: place).exitCode
    }

    /// The kernel refuses more than 600 KB of an image of 1 MB.
    @Test func endedInMidImageThereIsNone() async throws {
        let origin = LibraryOrigin(imageBytes: 1_000_000)
        try await origin.serving { address in
            try await Programs.run(
                "/bin/bash",
                ["-c", #"ulimit -f 600; exec "$0" "$@""#, Programs.downloader]
                    + arguments(address), in: place.url, exits: 74, complains: "(ulimit -f)")
        }
        #expect(try reading.generation() == 1)
        #expect(try reading.imageFiles().isEmpty)
    }

    /// Twenty kills in a row on one library, each at another moment of a refresh.
    @Test func killedAgainAndAgainNothingIsTorn() async throws {
        let origin = LibraryOrigin()
        let images = Set((0..<3).map { LibraryOrigin.image("/image/\($0)") })
        try await origin.serving { address in
            var last = 0
            for round in 0..<20 {
                let page = place.path("witness-\(round)")
                let before = origin.feed.generation
                let outcome = try await Programs.run(
                    Programs.downloader, arguments(address), in: place.url,
                    environment: ["RIG_WITNESS": page]
                ) { worker in
                    try await eventually("lists are served") {
                        origin.feed.generation > before + round % 4
                    }
                    // This is not a wait: it spreads the kills over what follows a feed's request.
                    try await Task.sleep(for: .microseconds(300 * round))
                    #expect(Foundation.kill(worker, SIGKILL) == 0)
                }
                #expect(outcome.signal == SIGKILL)
                let found = try reading.generation()
                #expect(found >= last)
                last = found
                let feed = WitnessLayout.resource(of: address + "/feed")
                let saved = try WitnessReader(path: page).records.filter {
                    $0.resource == feed && $0.acknowledged > 0
                }
                if !saved.isEmpty { #expect(found > before) }
                for (name, image) in try reading.imageFiles() where name.count == 32 {
                    #expect(images.contains(image), "round \(round): \(name) is torn")
                }
            }
        }
        #expect(try await listExitCode() == 0)
    }
}
