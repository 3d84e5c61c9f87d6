import Foundation
import Testing

/// `harness/ci/reproduce`: packages that differ are found, and so are packages that are not there.
///
/// It had never been run: two empty lists of digests would have been the same.
@Suite struct ReproduceScriptTests {
    private let sandbox: Sandbox

    /// Clones that are copies, and nothing to install.
    init() throws {
        sandbox = try Sandbox()
        try sandbox.provide(["cmp", "diff", "sha256sum"])
        try sandbox.tool("git", "cp -R \"$3\" \"$4\"")
        try sandbox.tool("dpkg-deb", "mkdir -p \"$3\" && cp \"$2\" \"$3/\"")
        try replace("setup", "exit 0")
    }

    private func replace(_ name: String, _ script: String) throws {
        try sandbox.tool(name, script)
        let place = sandbox.root.appendingPathComponent("harness/\(name)")
        try FileManager.default.removeItem(at: place)
        try FileManager.default.createSymbolicLink(
            at: place, withDestinationURL: sandbox.tools.appendingPathComponent(name))
    }

    /// Packages of one line each, and a command at the end.
    private func reproduce(_ line: String, _ ending: String = "") throws -> Sandbox.Outcome {
        try replace(
            "package",
            """
            called=$PWD folder=${0%/harness/package} out=${@: -1}
            mkdir -p "$folder/.build/release" "$out" && cd "$out"
            touch "$folder/.build/release/rig" && chmod 755 "$folder/.build/release/rig"
            for name in rig_1.deb rig-dbgsym_1.deb rig-1.tar.gz; do echo "\(line)" >$name; done
            sha256sum rig* >SHA256SUMS
            \(ending)
            """)
        return try sandbox.run("harness/ci/reproduce")
    }

    @Test func equalPackagesAreShownWithTheirDigests() throws {
        let outcome = try reproduce("same").exits(0)
        #expect(outcome.output.split(separator: "\n").count == 3, "\(outcome.output)")
    }

    /// What must not be in a package.
    @Test(arguments: ["$folder", "$called", "$TZ", "$(umask)", "$RANDOM$RANDOM"])
    func aDifferenceIsFound(line: String) throws {
        try reproduce(line).exits(1).says("rig-dbgsym_1.deb").says("rig_1.deb")
    }

    @Test(
        arguments: [
            ("rm \"$folder/.build/release/rig\"", 1, "nothing was built"),
            ("echo other >rig_1.deb", 1, "not those of its files"),
            ("rm rig_1.deb", 1, "not those of its files"),
            ("rm rig_1.deb; sha256sum rig* >SHA256SUMS", 1, "a package is missing"),
            ("rm *", 1, "not those of its files"),
            ("echo no compiler >&2; exit 70", 70, "no compiler"),
        ] as [(String, Int32, String)])
    func whatIsNotThereIsNotTheSame(ending: String, code: Int32, words: String) throws {
        try reproduce("same", ending).exits(code).says(words)
    }
}
