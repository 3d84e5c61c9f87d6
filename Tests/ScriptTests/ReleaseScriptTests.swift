import Foundation
import Testing

/// `harness/release`: what cannot be a release is refused before anything is built, and a failure
/// leaves nothing that looks like one.
@Suite struct ReleaseScriptTests {
    private static let log = """
        # Changelog

        ## [Unreleased]

        ## [1.2.3] - 2026-11-27

        ### Added

        - A thing.

        ## [1.2.2] - 2026-11-01

        - An older thing.

        """
    private let sandbox: Sandbox

    /// A clean tree of version 1.2.3, and packages that are made at once.
    init() throws {
        sandbox = try Sandbox()
        try sandbox.write(
            "#define RIG_VERSION \"1.2.3\"\n", to: "Sources/System/CVersion/include/CVersion.h")
        try sandbox.write(Self.log, to: "CHANGELOG.md")
        try sandbox.provide(["mv"])
        try git()
        try packages("mkdir -p \"$out\" && echo deb >\"$out/rig.deb\"")
    }

    private func git(status: String = "", tagged: String = "") throws {
        try sandbox.tool(
            "git",
            """
            case " $* " in
            *" status "*) printf '%s' '\(status)' ;;
            *"refs/tags/v1.2.3"*) printf '%s' '\(tagged)' ;;
            *) echo 0123456789 ;;
            esac
            """)
    }

    private func packages(_ script: String) throws {
        try sandbox.tool(
            "package", "echo \"$*\" >>$log; while (($# > 1)); do shift; done; out=$1\n\(script)")
        let place = sandbox.root.appendingPathComponent("harness/package")
        try? FileManager.default.removeItem(at: place)
        try FileManager.default.createSymbolicLink(
            at: place, withDestinationURL: sandbox.tools.appendingPathComponent("package"))
    }

    private func made() throws -> [String] {
        let entries = try FileManager.default.contentsOfDirectory(atPath: sandbox.root.path)
        return entries.filter { $0.hasPrefix("out") }.sorted()
    }

    private func release(_ options: [String] = []) throws -> Sandbox.Outcome {
        try sandbox.run("harness/release", ["--out", sandbox.root.path + "/out"] + options)
    }

    @Test func hasThePackagesAndWhatAUserMustKnow() throws {
        try release(["--tag", "v1.2.3"]).exits(0)
        #expect(sandbox.log().count == 1)
        #expect(sandbox.log()[0].hasPrefix("--release --image --out "))
        #expect(try made() == ["out"])
        #expect(try sandbox.text("out/NOTES.md") == "### Added\n\n- A thing.\n\n")
    }

    @Test(
        arguments: [
            (" M README.md", "", log, [], 69, "the tree is not clean"),
            ("?? new.swift", "", log, [], 69, "the tree is not clean"),
            ("", "9876543210", log, [], 69, "a version is released once"),
            ("", "", "# Changelog\n\n## [1.2.30]\n\n- A\n", [], 69, "no section ## [1.2.3]"),
            ("", "", "## [1.2.3]\n\n## [1.2.2]\n\n- A\n", [], 69, "no section ## [1.2.3]"),
            ("", "", "## [Unreleased]\n\n- B\n\n## [1.2.3]\n\n- A\n", [], 69, "[Unreleased]"),
            ("", "", log, ["--tag", "v1.2.4"], 64, "change Sources/System/CVersion"),
            ("", "", log, ["--tag"], 64, "--tag needs a word"),
            ("", "", log, ["now"], 64, "unknown option: now"),
        ] as [(String, String, String, [String], Int32, String)])
    func whatIsNoReleaseIsRefused(
        status: String, tagged: String, log: String, options: [String], code: Int32, words: String
    ) throws {
        try git(status: status, tagged: tagged)
        try sandbox.write(log, to: "CHANGELOG.md")
        try release(options).exits(code).says(words)
        #expect(try sandbox.log() == [] && made() == [])
    }

    @Test func whatIsThereIsKept() throws {
        try sandbox.write("mine", to: "out/SHA256SUMS")
        try release().exits(69).says("is there already")
        #expect(sandbox.log() == [])
        // Also what comes while the packages are made.
        try FileManager.default.removeItem(at: sandbox.root.appendingPathComponent("out"))
        try packages("mkdir -p \"$out\" \"$root/out\" && echo mine >\"$root/out/SHA256SUMS\"")
        try release().exits(69).says("has come meanwhile")
        #expect(try made() == ["out"])
        #expect(try sandbox.text("out/SHA256SUMS") == "mine\n")
    }

    @Test func aFailureLeavesNothing() throws {
        try packages("mkdir -p \"$out\" && echo deb >\"$out/rig.deb\"; exit 70")
        #expect(try release().status == 70)
        #expect(try made() == [])
    }
}
