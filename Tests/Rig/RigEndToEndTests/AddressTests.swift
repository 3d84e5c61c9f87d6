import Foundation
import Testing

/// How the downloader is told which video is meant.
@Suite struct AddressTests {
    private let place = Workplace()

    private func downloader(_ arguments: [String]) async throws -> Programs.Outcome {
        try await Programs.run(
            Programs.downloader, arguments + ["--cache", "cache"], in: place.url)
    }

    /// `clear` without an address forgot everything.
    @Test func everythingIsForgottenOnlyOnRequest() async throws {
        try await serving(["--video-size", "1MB"], in: place) { url in
            func cached() async throws -> Bool {
                try await downloader(["status"]).output.contains(url)
            }
            for forget in [["clear", url], ["clear", "--url", url], ["clear", "--all"]] {
                #expect(try await downloader(["fetch", url]).exitCode == 0)
                #expect(try await cached())
                let unclear = try await downloader(["clear"])
                #expect(unclear.exitCode == 64 && unclear.complaint.contains("--all"))
                #expect(try await cached())
                #expect(try await downloader(forget).exitCode == 0)
                #expect(try await !cached())
            }
        }
    }

    @Test(arguments: [
        (["fetch"], "give its address"), (["export", "--output", "o"], "give its address"),
        (["fetch", "ftp://h/v"], "no http or https address"),
        (["fetch", "http://h/v", "--url", "http://h/v"], "two addresses"),
        (["fetch", "http://h/my video.mp4"], "%20"), (["fetch", "http://h/v\t"], "%20"),
        (["clear", "http://h/v", "--all"], "not both"),
    ])
    func anUnclearAddressIsRefused(arguments: [String], word: String) async throws {
        try await downloader(arguments).exits(64).complains(word)
    }
}
