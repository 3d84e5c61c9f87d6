import Foundation
import Testing

/// The parts of `harness/package` that need no build.
///
/// `harness/ci/package` tries the packages themselves.
@Suite struct PackageScriptTests {
    private let sandbox: Sandbox

    init() throws { sandbox = try Sandbox() }

    /// Runs lines that may call the functions of `harness/lib/package.sh`.
    private func run(_ lines: String) throws -> Sandbox.Outcome {
        try sandbox.tool("try", "version=1.2.3~4.ab architecture=amd64 quick=true\n\(lines)")
        return try sandbox.run("../tools/try")
    }

    /// Debian has a program of that name, of version 1.11: each upgrade put it in place of ours.
    @Test func anEpochMakesThePackagesNewerThanThatOfDebian() throws {
        let outcome = try run(
            """
            source "$root/harness/lib/package.sh"
            control rig devel optional
            """
        ).exits(0)
        #expect(outcome.output.contains("\nVersion: 1:1.2.3~4.ab\n"))
    }

    /// After two commits `./rig_*_amd64.deb` named two packages, and apt-get refused both.
    @Test func onlyTheNewestPackagesStay() throws {
        let made = ["rig-2-linux.tar.gz", "rig_2_amd64.deb"]
        let other = ["SHA256SUMS", "notes"]
        for name in made + other + ["rig_1_amd64.deb", "rig-dbgsym_1_amd64.deb", "rig-1-oci.tar"] {
            try sandbox.write(name, to: "made/\(name)")
        }
        try run(
            """
            source "$root/harness/lib/package.sh"
            keep_only "$root/made" \(made.joined(separator: " "))
            """
        ).exits(0)
        let left = try FileManager.default.contentsOfDirectory(
            atPath: sandbox.root.appendingPathComponent("made").path)
        #expect(left.sorted() == (made + other).sorted())
    }

    /// The image was called `localhost/VERSION`, and `podman run rig` found none.
    @Test func theImageHasAName() throws {
        try sandbox.write("a layer", to: "layer.tar")
        try run(
            """
            /usr/bin/python3 "$root/harness/lib/oci.py" "$root/layer.tar" "$root/oci" \\
                --architecture amd64 --version "$version" --time 0
            """
        ).exits(0)
        let index = try sandbox.text("oci/index.json")
        #expect(index.contains("\"io.containerd.image.name\":\"localhost/rig:1.2.3-4.ab\""))
        #expect(index.contains("\"org.opencontainers.image.ref.name\":\"1.2.3-4.ab\""))
    }
}
