import Foundation
import Testing

/// The scripts of `harness/ci` that a continuous integration job calls.
///
/// `harness/ci/github/try-action` runs them with the real programs.
@Suite struct ContinuousIntegrationTests {
    private let sandbox: Sandbox

    /// An existing build, with a `rig` that records its arguments and ends as told.
    init() throws {
        sandbox = try Sandbox()
        try sandbox.write("", to: "Package.swift")
        try sandbox.write("", to: "Sources/Rig/rig/main.swift")
        try sandbox.tool("swift", "echo 'Swift version 6.3.1 (swift-6.3.1)'")
        try sandbox.tool("pkg-config", "exit 0")
        try sandbox.provide(["sha256sum", "sort", "xargs", "uname", "head"])
        try sandbox.tool(
            "rig",
            """
            for word in "$@"; do printf '%s\\n' "$word" >>$log; done
            [[ ! -e kill-test ]] || exit 64
            mkdir kill-test
            printf '{\\n  "result": "fail",\\n' >kill-test/summary.json
            exit 99
            """)
    }

    private func gatedRun(_ settings: [String]) throws -> Sandbox.Outcome {
        try sandbox.run(
            "harness/ci/gated-run",
            environment: settings + [
                "RIG_BINARIES=\(sandbox.tools.path)",
                "GITHUB_OUTPUT=\(sandbox.root.path)/outputs",
            ])
    }

    private func outputs() throws -> String { try sandbox.text("outputs") }

    @Test func everySettingIsAWordOfItsOwn() throws {
        try gatedRun([
            "KILL_TEST_ITERATIONS=3", "KILL_TEST_THRESHOLDS=256KB,512KB", "KILL_TEST_SEED=",
            "KILL_TEST_GATES=violations == 0\n\n   loss_percent <= 5 \r\n",
            "KILL_TEST_ARGS=--worker\nmy worker",
        ]).exits(99)
        #expect(
            sandbox.log() == [
                "kill-test", "--out", "kill-test", "--iterations", "3", "--thresholds",
                "256KB,512KB", "--gate=violations == 0", "--gate=loss_percent <= 5", "--worker",
                "my worker",
            ])
        #expect(try outputs() == "result=fail\nexit-code=99\nrun-folder=kill-test\n")
    }

    @Test func anAuditIsARunAsWell() throws {
        try gatedRun([
            "KILL_TEST_AUDIT=true", "KILL_TEST_SEED=7", "KILL_TEST_ARGS=--\nget.py",
        ]).exits(99)
        #expect(sandbox.log() == ["audit", "--out", "kill-test", "--seed", "7", "--", "get.py"])
        try gatedRun(["KILL_TEST_AUDIT=maybe"]).exits(64).says("make it true or false")
    }

    /// A line is split at blanks, and several lines are one word each.
    ///
    /// No shell reads either.
    @Test(
        arguments: [
            (" get.py  {url} '{dir}' $(x) \n", ["get.py", "{url}", "'{dir}'", "$(x)"]),
            ("my get\n\n  {url}\n* \"a b\"\n", ["my get", "{url}", "* \"a b\""]),
        ])
    func theCommandIsTheLast(program: String, words: [String]) throws {
        try gatedRun([
            "KILL_TEST_PROGRAM=\(program)", "KILL_TEST_ARGS=--jobs\n2", "KILL_TEST_GATES=a < 1",
        ]).exits(99)
        #expect(
            sandbox.log() == [
                "kill-test", "--out", "kill-test", "--gate=a < 1", "--jobs", "2", "--",
            ]
                + words)
    }

    @Test func aProfileIsAWorker() throws {
        #expect(try gatedRun(["KILL_TEST_WORKER=./my worker.yml"]).status == 99)
        #expect(
            sandbox.log() == ["kill-test", "--worker", "./my worker.yml", "--out", "kill-test"])
    }

    @Test(arguments: ["KILL_TEST_WORKER=curl", "KILL_TEST_ARGS=--\nget.py"])
    func onlyOneProgramIsTested(other: String) throws {
        try gatedRun(["KILL_TEST_PROGRAM=get.py {url}", other]).exits(64).says("name one of them")
        #expect(sandbox.log() == [])
    }

    /// The run is made in a folder of the workspace, and its own folder is named from outside.
    @Test func theFolderOfTheRunIsNamedFromTheWorkspace() throws {
        let place = sandbox.root.deletingLastPathComponent().appendingPathComponent("part")
        try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
        #expect(try gatedRun(["KILL_TEST_FOLDER=part"]).status == 99)
        #expect(try outputs() == "result=fail\nexit-code=99\nrun-folder=part/kill-test\n")
        try gatedRun(["KILL_TEST_FOLDER=other"]).exits(64).says("there is no folder 'other'")
        // One that is whole already got the folder before it, where no run was.
        let whole = place.appendingPathComponent("whole")
        try FileManager.default.createDirectory(at: whole, withIntermediateDirectories: true)
        let out = "\(whole.path)/kill-test"
        #expect(try gatedRun(["KILL_TEST_FOLDER=part/whole", "KILL_TEST_OUT=\(out)"]).status == 99)
        #expect(try outputs().hasSuffix("\nrun-folder=\(out)\n"))
    }

    @Test func textFromOutsideIsNoCommandAndNoOutput() throws {
        try gatedRun([
            "KILL_TEST_ITERATIONS=1; touch pwned", "KILL_TEST_GATES=$(touch pwned)`touch pwned`",
            "KILL_TEST_OUT=x\nresult=pass",
        ]).exits(99)
        #expect(sandbox.log().contains("1; touch pwned"))
        #expect(sandbox.log().contains("--gate=$(touch pwned)`touch pwned`"))
        #expect(try !outputs().split(separator: "\n").contains("result=pass"))
    }

    /// Results of an earlier run in the same workspace are not reported.
    @Test func anEarlierRunIsNotReported() throws {
        #expect(try gatedRun([]).status == 99)
        #expect(try gatedRun([]).status == 64)
        #expect(
            try outputs()
                == "result=fail\nexit-code=99\nrun-folder=kill-test\n"
                + "result=wrong usage\nexit-code=64\n")
    }

    @Test(arguments: ["--out", "--out=x", "--partition", "--partition=slice:1/2"])
    func whatHasItsOwnSettingIsRefused(word: String) throws {
        try gatedRun(["KILL_TEST_ARGS=\(word)"]).exits(64).says("cannot be in KILL_TEST_ARGS")
        #expect(sandbox.log() == [])
        #expect(try gatedRun(["KILL_TEST_ARGS=--\nmine\n\(word)"]).status == 99)
    }

    /// The key decides whether a cached program is used, so it depends only on the content.
    @Test func theKeyFollowsTheContentOfTheSources() throws {
        func key() throws -> String {
            let outcome = try sandbox.run("harness/ci/build", ["--key"]).exits(0)
            return outcome.output
        }
        let first = try key()
        #expect(first.hasPrefix("key=") && first.contains("\npath=\(sandbox.root.path)/"))
        // The same content, written again: another time, the same key.
        try sandbox.write("", to: "Sources/Rig/rig/main.swift")
        #expect(try key() == first)
        try sandbox.write("//", to: "Sources/Rig/rig/main.swift")
        let second = try key()
        #expect(second != first)
        try sandbox.write("", to: "Sources/Rig/rig/main.swift")
        try sandbox.write("", to: "Sources/Rig/rig/other.swift")
        #expect(try ![first, second].contains(key()))
        // Sources in other places are built in as well.
        try sandbox.write("a", to: "harness/elsewhere/bounds.yml")
        try FileManager.default.createSymbolicLink(
            atPath: sandbox.root.appendingPathComponent("Sources/Rig/rig/elsewhere").path,
            withDestinationPath: "../../../harness/elsewhere")
        let linked = try key()
        try sandbox.write("b", to: "harness/elsewhere/bounds.yml")
        #expect(try key() != linked)
        try sandbox.tool("swift", "echo 'Swift version 6.3.2 (swift-6.3.2)'")
        #expect(try key() != first)
    }

    @Test func withoutACompilerThereIsNoKey() throws {
        try sandbox.removeTool("swift")
        #expect(try sandbox.run("harness/ci/build", ["--key"]).status == 69)
    }
}
