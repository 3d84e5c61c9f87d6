import Foundation
import TestSupport
import Testing

/// `harness/ci/mutants` plants mistakes, and reports which of them no test detects.
@Suite struct MutantsTests {
    private let sandbox: Sandbox

    /// A repository of one file, with a fake compiler and tests that check its content.
    init() throws {
        sandbox = try Sandbox()
        try sandbox.write("let limit = 5\nlet step = 1\n", to: "Sources/A.swift")
        try sandbox.write("", to: "Tests/ATests/LimitTests.swift")
        try sandbox.write("// the package\n", to: "Package.swift")
        let names = ["Package.swift", "Sources/A.swift"]
        try sandbox.tool("git", "printf '\(names.map { "\($0)\\0" }.joined())'")
        try sandbox.tool(
            "swift",
            """
            case "$*" in
            'package dump-package') grep -q leftOut Package.swift && ! grep -q twice Package.swift ;;
            'build --build-tests') ! grep -q broken Sources/A.swift ;;
            'test list'*) echo 'ATests.LimitTests/limit()' ;;
            *) [[ ! -e $root/red ]] && grep -q 'limit = 5' Sources/A.swift ;;
            esac
            """)
    }

    private func plant(
        _ name: String, _ old: String, _ new: String, tests: String = "ATests.LimitTests"
    ) throws {
        try sandbox.write(
            """
            Something is wrong.
            tests: \(tests)
            --- Sources/A.swift
            \(old)
            --- becomes
            \(new)
            --- end

            """, to: "harness/ci/mutants.d/\(name).mutant")
    }

    private func run(_ arguments: String...) throws -> Sandbox.Outcome {
        try sandbox.run("harness/ci/mutants", arguments)
    }

    @Test func everyMutantFitsTheSources() throws {
        let script = Checkout.path("harness/ci/mutants")
        let path = "PATH=\(ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin")"
        let status = try ChildProcess.run(
            ["/bin/sh", "-c", "exec \"$0\" --check", script], environment: [path])
        #expect(status == 0, "a text has changed: see harness/ci/mutants --check")
        #expect(try Checkout.entries(of: "harness/ci/mutants.d").count >= 40)
    }

    @Test func whatATestSeesIsKilledAndTheRestLives() throws {
        try plant("limit", "limit = 5", "limit = 6")
        let killed = try run().exits(0)
        #expect(killed.output.contains("limit") && killed.output.contains("1 of 1 killed"))
        // It was built with only the tests that must detect it.
        let copy = try sandbox.text(".build/mutants/tree/Package.swift")
        #expect(copy.contains("![\"ATests\"]"))
        try plant("step", "step = 1", "step = 2")
        try plant("type", "step = 1", "broken")
        let some = try run().exits(1)
        #expect(some.output.contains("LIVES") && some.output.contains("does not build"))
        #expect(some.output.contains("1 of 3 killed"))
        #expect(try run("--only", "limit").status == 0)
        #expect(try sandbox.text("Sources/A.swift") == "let limit = 5\nlet step = 1\n")
    }

    @Test(arguments: ["limit = 7", "let ", "limit = 5"])
    func whatDoesNotFitIsNamed(old: String) throws {
        try plant("odd", old, "limit = 5")
        for arguments in [["--check"], []] {
            try sandbox.run("harness/ci/mutants", arguments).exits(1).says("does not fit: odd")
        }
    }

    /// A name in the manifest was also one of the script's, and no mutant was planted for days.
    @Test func aCopyThatCannotBeBuiltIsNamed() throws {
        try plant("limit", "limit = 5", "limit = 6")
        #expect(try run("--check").status == 0)
        try sandbox.write("// a name twice\n", to: "Package.swift")
        try run("--check").exits(1).says("the copy's Package.swift")
    }

    /// A test that fails without a mutant, or does not exist, would kill every mutant.
    @Test func testsThatFailWithoutAMutantKillNothing() throws {
        try plant("limit", "limit = 5", "limit = 6", tests: "NoSuchTests")
        #expect(try run().status == 69)
        try plant("limit", "limit = 5", "limit = 6")
        try sandbox.write("", to: "red")
        try run().exits(69).says("fail without a mutant")
    }
}
