import Foundation
import RigModel
import Testing

/// The folder of a run is taken away under its rig, as `rm -rf results` does.
///
/// The workers lost their state, and were blamed for it: the run failed with 99. Where another
/// run had begun in the same folder, the first one's evidence and documents were written among
/// those of the second, and its files were removed.
@Suite struct LostFolderTests {
    private let place = Workplace()

    private static let options = [
        "--iterations", "6", "--video-size", "256KB", "--trigger", "bytes", "--seed", "4",
        "--jobs", "1",
    ]

    /// A program that downloads; once two rows are there, it carries out a script and fails.
    private func worker(_ script: String) throws -> String {
        let program = """
            if [ "$(wc -l <'\(place.path("run/iterations.csv"))')" -gt 2 ]
            then cd '\(place.url.path)' && \(script); exit 1
            fi 2>/dev/null
            '\(Programs.downloader)' fetch --url "$1" --cache "$2" &&
                exec '\(Programs.downloader)' export --url "$1" --cache "$2" --output "$3"
            """
        return try place.profile(["/bin/sh", "-c", program, "sh", "{url}", "{dir}", "{output}"])
    }

    @Test func noWorkerIsToBlame() async throws {
        let worker = try worker("mv run elsewhere")
        try await place.killTest(
            Self.options, "--worker", worker, exits: RigModel.ExitStatus.failure.rawValue
        ).complains("run was removed or moved").complains("run it again")
        #expect(!place.has("run"))
    }

    @Test func nothingOfTheNextRunIsTouched() async throws {
        try await rig(
            ["kill-test", "--out", "other"] + Self.options + Workplace.gateOfFewRows, in: place,
            exits: 0)
        // What it has while it is under way.
        for folder in ["scratch/1/state", "scratch/3/state"] {
            try place.makeFolder("other/\(folder)")
        }
        try Data().save(as: "other/run.lock", in: place)
        let worker = try worker("mv run elsewhere && cp -r other run")
        try await place.killTest(
            Self.options, "--worker", worker, exits: RigModel.ExitStatus.failure.rawValue,
            complains: "another is there now")
        try await Programs.run("/usr/bin/diff", ["-r", "other", "run"], in: place.url, exits: 0)
    }
}
