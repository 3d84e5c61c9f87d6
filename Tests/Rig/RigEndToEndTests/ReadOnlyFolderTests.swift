import Foundation
import Glibc
import RigModel
import Testing

/// Workers that make folders read-only, as package managers and caches of modules do.
///
/// A user who is not root could not remove them: they stayed in the run's folder without a word,
/// and a torn power cut ended the run with 70.
@Suite(.enabled(if: getuid() == 0)) struct ReadOnlyFolderTests {
    /// It makes such folders, one in another, wherever it may write.
    private static let script = """
        for place in "$2" "$HOME" "$TMPDIR"; do
            mkdir -p "$place/a$$/b" && echo x > "$place/a$$/b/c"
            chmod MODE "$place/a$$/b" "$place/a$$"
        done
        curl -q -sS -o "$1.part" "$0" && sync "$1.part" && mv "$1.part" "$1" && sync "$2"
        """

    @Test(arguments: [
        ("555", []), ("500", ["--fault", "power-cut-torn"]), ("555", ["--kills", "2"]),
    ])
    func theirFoldersGoWithTheIteration(mode: String, options: [String]) async throws {
        let place = Workplace()
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o777], ofItemAtPath: place.url.path)
        let outcome = try await Programs.run(
            "/usr/bin/setpriv",
            [
                "--reuid=65534", "--regid=65534", "--clear-groups", Programs.rig, "kill-test",
                "--out", "run", "--iterations", "2", "--video-size", "2MB", "--seed", "1",
                "--trigger", "bytes", "--gate", "inconclusive_percent <= 100",
            ] + options + [
                "--", "/bin/sh", "-c", Self.script.replacing("MODE", with: mode), "{url}",
                "{output}", "{dir}",
            ], in: place.url, environment: ["HOME": place.url.path], exits: 0)
        #expect(!outcome.complaint.contains("cannot remove"), "\(outcome.complaint)")
        let left = try place.names(in: "run")
        #expect(left.allSatisfy { !$0.hasPrefix("scratch") }, "\(left)")
    }
}
